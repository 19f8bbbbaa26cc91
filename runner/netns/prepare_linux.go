package netns

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/unix"
)

// prepare makes every address one of this machine, so that nothing can leave it, and
// has names asked for at Resolver.
func prepare() error {
	if err := up("lo"); err != nil {
		return fmt.Errorf("the loopback interface does not come up: %w", err)
	}
	if err := everywhere(unix.AF_INET); err != nil {
		return fmt.Errorf("addresses cannot be the machine's own: %w", err)
	}
	_ = everywhere(unix.AF_INET6) // a system may have no IPv6
	return resolveAt()
}

// up switches an interface on.
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

// everywhere makes all addresses of a family local: ip route add local default dev lo.
func everywhere(family byte) error {
	s, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	if err := unix.Sendto(s, localRoute(family), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	return acknowledged(s)
}

// loopback is the index of lo, which is the first interface of each namespace.
const loopback = 1

// localRoute is the message that adds the route.
func localRoute(family byte) []byte {
	const size = unix.SizeofNlMsghdr + unix.SizeofRtMsg + unix.SizeofRtAttr + 4
	e := binary.NativeEndian
	b := e.AppendUint32(nil, size)
	b = e.AppendUint16(b, unix.RTM_NEWROUTE)
	b = e.AppendUint16(b, unix.NLM_F_REQUEST|unix.NLM_F_ACK|unix.NLM_F_CREATE)
	b = append(b, make([]byte, 8)...) // sequence and port
	b = append(b, family, 0, 0, 0, unix.RT_TABLE_LOCAL, unix.RTPROT_BOOT, unix.RT_SCOPE_HOST, unix.RTN_LOCAL)
	b = e.AppendUint32(b, 0)
	b = e.AppendUint16(b, unix.SizeofRtAttr+4)
	b = e.AppendUint16(b, unix.RTA_OIF)
	return e.AppendUint32(b, loopback)
}

// acknowledged reads what the kernel makes of a message.
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

// resolveAt lets the processes inside find another resolv.conf.
func resolveAt() error {
	at, err := filepath.EvalSymlinks("/etc/resolv.conf")
	if err != nil {
		return nil // without one names are asked for on this machine anyway
	}
	own, err := os.CreateTemp("", "sonde-resolv-")
	if err != nil {
		return err
	}
	defer os.Remove(own.Name()) // it stays where it is mounted
	_, err = own.WriteString("nameserver 127.0.0.53\noptions attempts:1 timeout:2\n")
	if err = errors.Join(err, own.Chmod(0o644), own.Close()); err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("files inside cannot be others: %w", err)
	}
	if err := unix.Mount(own.Name(), at, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("%q cannot be another file inside: %w", at, err)
	}
	return nil
}

// start starts a command that may do no more than its user.
func start(c *exec.Cmd) error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlock it: the thread is another one from now on
		err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
		if err == nil {
			err = c.Start()
		}
		started <- err
		select {} // for as long as the keeper lives: the command may die with this thread
	}()
	return <-started
}
