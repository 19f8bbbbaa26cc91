// Command client executes a network action for each line of its input, and prints the
// results. It does not import Sonde.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
)

var commands = map[string]func(...string) (string, error){
	"http": func(a ...string) (string, error) { return web(http.DefaultClient, a[0], a[1], a[2]) },
	"h2c": func(a ...string) (string, error) {
		p := new(http.Protocols)
		p.SetUnencryptedHTTP2(true)
		return web(&http.Client{Transport: &http.Transport{Protocols: p}}, "GET", a[0], "")
	},
	"talk": talk,
	"udp":  udp,
	"lookup": func(a ...string) (string, error) {
		all, err := net.LookupHost(a[0])
		return strings.Join(all, ","), err
	},
	"dns":      dns,
	"serve":    serve,
	"hostname": func(...string) (string, error) { return os.Hostname() },
	"packet":   packet,
}

func main() {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		f := strings.Split(in.Text(), "\t")
		got, err := commands[f[0]](append(f[1:], "", "")...)
		if err != nil {
			got += "! " + err.Error()
		}
		fmt.Printf("%q\n", got)
	}
}

func web(c *http.Client, method, url, body string) (string, error) {
	q, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	r, err := c.Do(q)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	return fmt.Sprintf("%s %d %s", r.Proto, r.StatusCode, text), err
}

// talk sends the parts of a script. For the part "<" it reads a line instead.
func talk(a ...string) (heard string, err error) {
	c, err := net.Dial("tcp", a[0])
	if err != nil {
		return "", err
	}
	defer c.Close()
	return converse(c, strings.Split(a[1], "|"))
}

func converse(c net.Conn, script []string) (heard string, err error) {
	r := bufio.NewReader(c)
	for _, part := range script {
		if part != "<" {
			if _, err = io.WriteString(c, part+"\n"); err != nil {
				return heard, err
			}
			continue
		}
		line, err := r.ReadString('\n')
		heard += line
		if err != nil {
			return heard, err
		}
	}
	return heard, nil
}

func udp(a ...string) (string, error) {
	c, err := net.Dial("udp", a[0])
	if err != nil {
		return "", err
	}
	defer c.Close()
	if _, err := io.WriteString(c, a[1]); err != nil || len(a) > 2 && a[2] == "only" {
		return "", err
	}
	b := make([]byte, 2000)
	n, err := c.Read(b)
	return string(b[:n]), err
}

// dns asks a server for the address of a name, without the standard library's resolver.
func dns(a ...string) (string, error) {
	q := []byte{0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0}
	for _, label := range strings.Split(a[1], ".") {
		q = append(append(q, byte(len(label))), label...)
	}
	got, err := udp(a[0], string(append(q, 0, 0, 1, 0, 1)))
	if err != nil || len(got) < 12 || got[3]&15 != 0 || got[7] == 0 {
		return fmt.Sprintf("%q", got), err
	}
	return net.IP(got[len(got)-4:]).String(), nil
}

func serve(a ...string) (string, error) {
	l, err := net.Listen("tcp", a[0])
	if err != nil {
		return "", err
	}
	defer l.Close()
	c, err := l.Accept()
	if err != nil {
		return "", err
	}
	defer c.Close()
	return converse(c, strings.Split(a[1], "|"))
}

// packet receives datagrams on a port until that fails.
func packet(a ...string) (heard string, err error) {
	u, err := net.ListenPacket("udp", a[0])
	if err != nil {
		return "", err
	}
	defer u.Close()
	b := make([]byte, 2000)
	for {
		n, _, err := u.ReadFrom(b)
		heard += string(b[:n]) + ","
		if err != nil {
			return heard, err
		}
	}
}
