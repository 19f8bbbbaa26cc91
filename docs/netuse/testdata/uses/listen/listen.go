package listen

import "net"

func Serve() error {
	l, err := net.Listen("tcp", ":80")
	if err != nil {
		return err
	}
	if _, err := net.ListenPacket("udp", ":53"); err != nil {
		return err
	}
	_, err = l.Accept()
	return err
}
