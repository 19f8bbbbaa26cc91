package vnet

import (
	"bufio"
	"bytes"
	"net/http"

	"sonde/model"
)

// reveals notes that HTTP is spoken to a host that has only stubs of raw TCP: what was
// said first is a request. It goes on as bytes do. The mutex is held.
func (p *player) reveals() {
	if p.revealed || p.c.inward || len(p.c.stubs(model.HTTP)) > 0 || isHTTP(p.said) != yes {
		return
	}
	r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(p.said)))
	if err != nil {
		return
	}
	p.revealed = true
	m := p.c.contact(model.HTTP)
	m.Request, m.Outcome = kept(request(r)), "not tcp"
	p.c.n.test.note(m)
}
