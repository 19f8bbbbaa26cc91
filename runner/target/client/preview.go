package client

import (
	"cmp"
	"fmt"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// Preview returns the requests of a test as they would be sent, but for what users carry: one for
// each call, and of an operation that the spec does not have only its name.
// A name in braces stands for what an answer would bring. Nothing is sent.
func Preview(spec *model.Spec, t model.Test) (all []model.Request) {
	for i, call := range t.Calls {
		op := spec.Operation(call.Op)
		if op == nil {
			all = append(all, model.Request{Op: call.Op})
			continue
		}
		own, names := call, []string{}
		for _, l := range t.Links {
			if l.To != i {
				continue
			}
			name := placeholder(l)
			if filled, ok := put(call, own, l, name); ok {
				call, names = filled, append(names, name)
			}
		}
		r := bind(op, call)
		r.URL = legible(r.URL, call.Args, names)
		all = append(all, r)
	}
	return all
}

// placeholder names what a link brings.
func placeholder(l model.Link) string {
	what := cmp.Or(l.Header, pointer.LastToken(l.Pointer), l.Param, pointer.LastToken(l.Name))
	return fmt.Sprintf("{%s of call %d}", what, l.From+1)
}

// legible is a URL in which names are not escaped.
func legible(url string, args []model.Arg, names []string) string {
	for _, a := range args {
		for _, name := range names {
			if a.PlainValue() == name {
				url = strings.Replace(url, a.Encoded(), name, 1)
			}
		}
	}
	return url
}
