package netns

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"

	"golang.org/x/sys/unix"
)

// prepare makes every address a local one, so that no packet leaves the namespace. It makes
// processes look up names at the resolver inside the namespace.
func prepare() error {
	if all, err := net.Interfaces(); err != nil || len(all) != 1 {
		return errors.New("this is not a network namespace of its own")
	}
	if err := up("lo"); err != nil {
		return fmt.Errorf("the loopback interface does not come up: %w", err)
	}
	if err := everywhere(unix.AF_INET); err != nil {
		return fmt.Errorf("addresses cannot be made local: %w", err)
	}
	if err := toMany(); err != nil {
		return fmt.Errorf("broadcast cannot be made local: %w", err)
	}
	_ = everywhere(unix.AF_INET6) // a system may have no IPv6
	return names()
}

// up brings an interface up.
func up(name string) error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	r, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	r.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, r)
}

// loopback is the index of lo, which is the first interface of each namespace.
const loopback = 1

// everywhere makes all addresses of a family local. It has the effect of
// "ip route add local default dev lo".
func everywhere(family byte) error {
	return route(unix.RtMsg{Family: family, Type: unix.RTN_LOCAL, Scope: unix.RT_SCOPE_HOST})
}

// toMany makes broadcast and multicast addresses local. It has the effect of "ip route add broadcast
// 255.255.255.255 dev lo src 127.0.0.1", and of the same command with "multicast 224.0.0.0/4".
func toMany() error {
	from := attribute{unix.RTA_PREFSRC, []byte{127, 0, 0, 1}}
	return errors.Join(
		route(
			unix.RtMsg{Family: unix.AF_INET, Type: unix.RTN_BROADCAST, Scope: unix.RT_SCOPE_LINK, Dst_len: 32},
			from, attribute{unix.RTA_DST, []byte{255, 255, 255, 255}},
		),
		route(
			unix.RtMsg{Family: unix.AF_INET, Type: unix.RTN_MULTICAST, Scope: unix.RT_SCOPE_LINK, Dst_len: 4},
			from, attribute{unix.RTA_DST, []byte{224, 0, 0, 0}},
		))
}

// attribute is an attribute of a route.
type attribute struct {
	kind  uint16
	value []byte // four bytes, so that no padding is needed
}

// route adds a route through lo to the local table.
func route(r unix.RtMsg, more ...attribute) error {
	s, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	more = append(more, attribute{unix.RTA_OIF, binary.NativeEndian.AppendUint32(nil, loopback)})
	if err := unix.Sendto(s, added(r, more), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	return acknowledged(s)
}

// added returns the netlink message that adds a route.
func added(r unix.RtMsg, all []attribute) []byte {
	e := binary.NativeEndian
	b := e.AppendUint32(nil, uint32(unix.SizeofNlMsghdr+unix.SizeofRtMsg+len(all)*(unix.SizeofRtAttr+4)))
	b = e.AppendUint16(b, unix.RTM_NEWROUTE)
	b = e.AppendUint16(b, unix.NLM_F_REQUEST|unix.NLM_F_ACK|unix.NLM_F_CREATE)
	b = append(b, make([]byte, 8)...) // sequence and port
	b = append(b, r.Family, r.Dst_len, 0, 0, unix.RT_TABLE_LOCAL, unix.RTPROT_BOOT, r.Scope, r.Type)
	b = e.AppendUint32(b, 0)
	for _, a := range all {
		b = e.AppendUint16(b, unix.SizeofRtAttr+4)
		b = e.AppendUint16(b, a.kind)
		b = append(b, a.value...)
	}
	return b
}

// acknowledged reads the kernel's answer to a netlink message. It returns the error in the answer.
func acknowledged(s int) error {
	b := make([]byte, 4096)
	n, _, err := unix.Recvfrom(s, b, 0)
	if err != nil {
		return err
	}
	if n < unix.SizeofNlMsghdr+4 {
		return errors.New("the kernel's answer is cut short")
	}
	if code := int32(binary.NativeEndian.Uint32(b[unix.SizeofNlMsghdr:])); code != 0 {
		return unix.Errno(-code)
	}
	return nil
}

// resolvConf is the content of resolv.conf in the namespace. Each lookup asks the resolver inside the namespace, and
// only once.
const resolvConf = "nameserver 127.0.0.53\noptions attempts:1 timeout:1\n"

// names makes processes in the namespace look up names by DNS, at the resolver inside the namespace. It
// replaces the files that configure lookups, and hides the folders of daemons that look up names for
// other programs.
func names() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("files cannot be replaced inside: %w", err)
	}
	for _, f := range []struct {
		path string
		text func(was []byte) []byte
	}{{"/etc/resolv.conf", func([]byte) []byte { return []byte(resolvConf) }}, {"/etc/nsswitch.conf", byDNS}} {
		if err := replace(f.path, f.text); err != nil {
			return err
		}
	}
	for _, folder := range []string{"/run/nscd", "/var/run/nscd", "/run/systemd/resolve"} {
		if err := unix.Mount("none", folder, "tmpfs", 0, ""); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("%q, where programs look up names, cannot be hidden: %w", folder, err)
		}
	}
	return nil
}

// hosts matches the line of nsswitch.conf that says how names are looked up.
var hosts = regexp.MustCompile(`(?m)^[ \t]*hosts:.*$`)

// byDNS returns the content of nsswitch.conf with /etc/hosts and DNS as the only sources of host
// names. It changes nothing if the file has no line for hosts.
func byDNS(was []byte) []byte { return hosts.ReplaceAll(was, []byte("hosts: files dns")) }

// replace replaces the content of a file for processes in the namespace. It does nothing if the
// file does not exist.
func replace(path string, text func(was []byte) []byte) error {
	at, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil
	}
	was, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	own, end, err := shelf()
	if err != nil {
		return err
	}
	defer end()
	own = filepath.Join(own, filepath.Base(path))
	if err := os.WriteFile(own, text(was), 0o644); err != nil {
		return err
	}
	if err := unix.Mount(own, at, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("%q cannot be replaced inside: %w", at, err)
	}
	return nil
}

// shelf returns a new folder that only this namespace sees. Files that are mounted from the folder
// remain mounted after end.
func shelf() (path string, end func(), err error) {
	path, err = os.MkdirTemp("", "sonde-netns-")
	if err != nil {
		return "", nil, err
	}
	if err := unix.Mount("none", path, "tmpfs", 0, "mode=755"); err != nil {
		os.Remove(path)
		return "", nil, fmt.Errorf("files cannot be replaced inside: %w", err)
	}
	return path, func() {
		_ = unix.Unmount(path, unix.MNT_DETACH)
		_ = os.Remove(path)
	}, nil
}

// start starts a command without the capabilities of the keeper.
func start(c *exec.Cmd) error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked, because the capabilities of the thread differ from now on
		err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
		if err == nil {
			err = c.Start()
		}
		started <- err
		select {} // keeps the thread alive, because the command may be killed when the thread ends
	}()
	return <-started
}
