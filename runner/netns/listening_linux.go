package netns

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"errors"
)

// listening are the sockets in the namespace that wait for somebody, as the kernel
// lists them.
func listening() (all []string, err error) {
	for _, t := range []struct{ network, file, state string }{
		{"tcp", "tcp", "0A"}, {"tcp", "tcp6", "0A"}, {"udp", "udp", "07"}, {"udp", "udp6", "07"},
	} {
		more, err := table("/proc/thread-self/net/"+t.file, t.state)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, a := range more {
			all = append(all, t.network+" "+a.String())
		}
	}
	return all, nil
}

// table reads one of the kernel's, of the sockets in a state.
func table(path, state string) (all []netip.AddrPort, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for in.Scan() {
		if w := strings.Fields(in.Text()); len(w) > 3 && w[3] == state {
			if a, ok := address(w[1]); ok {
				all = append(all, a)
			}
		}
	}
	return all, in.Err()
}

// address reads one as the kernel writes it: words of four bytes in the machine's
// order.
func address(text string) (netip.AddrPort, bool) {
	host, port, _ := strings.Cut(text, ":")
	raw, err := hex.DecodeString(host)
	if err != nil || len(raw)%4 != 0 {
		return netip.AddrPort{}, false
	}
	for i := 0; i < len(raw); i += 4 {
		binary.BigEndian.PutUint32(raw[i:], binary.NativeEndian.Uint32(raw[i:]))
	}
	n, err := strconv.ParseUint(port, 16, 16)
	a, ok := netip.AddrFromSlice(raw)
	return netip.AddrPortFrom(a.Unmap(), uint16(n)), ok && err == nil
}
