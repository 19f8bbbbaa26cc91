package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

func init() {
	cases["files"] = func() {
		must(0, os.MkdirAll(os.Args[2], 0o700))
		defer net.LookupHost("end.example") // sends the reports that wait
		for _, way := range fileUses {
			fmt.Printf("%s: %s\n", way.name, fileError(way.do(filepath.Join(os.Args[2], "f.txt"))))
		}
	}
	cases["log"] = keepWriting
	cases["serve file"] = serveFile
	cases["folders"] = func() {
		must(0, os.Chdir(os.Args[2]))
		defer net.LookupHost("end.example") // sends the reports that wait
		for _, name := range []string{
			"a.txt", "./a.txt", filepath.Join(os.Args[2], "b/a.txt"), "/dev/null", "/etc/hosts", os.TempDir(), "../x",
			".env", ".", "..", "b//a.txt", "./b/../c.txt", "d/", "/bin/sh", "/usr/../etc/hosts",
		} {
			_, err := os.Stat(name)
			fmt.Println(err == nil)
		}
	}
}

// fileUses are ways to use a file.
var fileUses = []struct {
	name string
	do   func(name string) error
}{
	{"existing", func(name string) error {
		fd, err := syscall.Open(name, syscall.O_CREAT, 0o600) // not by package os
		if err != nil {
			return err
		}
		defer syscall.Unlink(name)
		defer syscall.Close(fd)
		_, err = os.ReadFile(name)
		return err
	}},
	{"write", func(name string) error { return os.WriteFile(name, []byte("0123456789"), 0o600) }},
	{"append", func(name string) error {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		all := 0
		for _, text := range []string{"abc", "de"} {
			n, err := f.WriteString(text)
			if all += n; err != nil {
				return fmt.Errorf("%d bytes: %w", all, err)
			}
		}
		return nil
	}},
	{"at", func(name string) error {
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.WriteAt([]byte("0123456789"), 2)
		return err
	}},
	{"copy", func(name string) error {
		f, err := os.Create(name)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(f, bytes.NewReader([]byte("0123456789")))
		return err
	}},
	{"read", func(name string) error {
		_, err := os.ReadFile(name)
		return err
	}},
	{"copy from", func(name string) error {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(io.Discard, f)
		return err
	}},
	{"stat", func(name string) error {
		_, err := os.Stat(name)
		return err
	}},
	{"rename", func(name string) error {
		if err := os.WriteFile(name+".new", nil, 0o600); err != nil {
			return err
		}
		return os.Rename(name+".new", name)
	}},
	{"remove", os.Remove},
	{"mkdir", func(name string) error { return os.Mkdir(name, 0o700) }},
	{"remove all", os.RemoveAll},
}

// fileError describes an error of a file: its text without the folder, its type, and what it is.
func fileError(err error) string {
	if err == nil {
		return "ok"
	}
	text := strings.ReplaceAll(err.Error(), os.Args[2]+"/", "")
	var path *os.PathError
	var link *os.LinkError
	if !errors.As(err, &path) && !errors.As(err, &link) {
		text += " no path"
	}
	for _, is := range []struct {
		name string
		err  error
	}{{"ENOSPC", syscall.ENOSPC}, {"EIO", syscall.EIO}, {"not exist", os.ErrNotExist}, {"permission", os.ErrPermission}} {
		if errors.Is(err, is.err) {
			text += " " + is.name
		}
	}
	return text
}

// keepWriting opens a file, and writes to it each time that its input has a line.
func keepWriting() {
	f := must(os.Create(os.Args[2]))
	fmt.Println("opened")
	net.LookupHost("next.example") // sends the reports that wait
	for b := make([]byte, 1); ; {
		if _, err := os.Stdin.Read(b); err != nil {
			return
		}
		_, err := f.Write([]byte("line\n"))
		if err != nil {
			err = errors.Unwrap(err)
		}
		fmt.Println(err)
		net.LookupHost("next.example")
	}
}

// serveFile sends a file on a connection.
func serveFile() {
	must(0, os.WriteFile(os.Args[2], []byte("content"), 0o600))
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	go func() {
		c := must(l.Accept()).(*net.TCPConn)
		defer c.Close()
		f := must(os.Open(os.Args[2]))
		n, err := io.Copy(c, f)
		fmt.Println(n, err != nil)
		f = must(os.Open(os.Args[2]))
		n, err = c.ReadFrom(io.LimitReader(f, 100))
		fmt.Println(n, err != nil)
	}()
	c := must(net.Dial("tcp", l.Addr().String()))
	fmt.Println(len(must(io.ReadAll(c))))
}
