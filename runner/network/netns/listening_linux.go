package netns

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// maxListening is the maximum number of sockets that listening returns.
const maxListening = 500

// listening returns the listening sockets of the namespace, at most maxListening. It gets TCP
// sockets by sock_diag(7) if possible: the tables in /proc also have the sockets that do not
// listen, and take a hundred times as long.
func listening() (all []ListeningSocket, err error) {
	for _, t := range []struct {
		network, file, state string
		family               byte
	}{
		{network: "tcp", file: "tcp", state: "0A", family: unix.AF_INET},
		{network: "tcp", file: "tcp6", state: "0A", family: unix.AF_INET6},
		{network: "udp", file: "udp", state: "07", family: 0},
		{network: "udp", file: "udp6", state: "07", family: 0},
	} {
		var more []ListeningSocket
		asked := errors.ErrUnsupported
		if t.family != 0 {
			more, asked = diagnosed(t.family)
		}
		if asked != nil {
			more, err = table(t.network, "/proc/thread-self/net/"+t.file, t.state)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		all = append(all, more...)
	}
	return all[:min(len(all), maxListening)], nil
}

// table returns the sockets in a state from a table of the kernel. The columns of the table are
// number, address, remote address, state, and the numbers of bytes to send and to read.
func table(network, path, state string) (all []ListeningSocket, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for in.Scan() {
		w := strings.Fields(in.Text())
		if len(w) < 5 || w[3] != state {
			continue
		}
		_, unread, _ := strings.Cut(w[4], ":")
		n, _ := strconv.ParseUint(unread, 16, 32)
		if a, ok := address(w[1]); ok {
			all = append(all, ListeningSocket{Network: network, Address: a, Unread: int(n)})
		}
	}
	return all, in.Err()
}

// address parses an address in a table of the kernel: hexadecimal words of four bytes, in the
// byte order of the machine, and the port. It returns false if the address is malformed.
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
