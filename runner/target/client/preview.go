package client

import (
	"cmp"
	"fmt"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// Preview returns the request of each call of a test, without the users' credentials. It sends no request. A name in
// braces is a placeholder for a value of an earlier answer. If an operation is not in the spec, the request has only
// the field Op.
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

// placeholder returns the text that Preview shows instead of the value of a link.
func placeholder(l model.Link) string {
	what := cmp.Or(l.Header, pointer.LastToken(l.Pointer), l.Param, pointer.LastToken(l.Name))
	return fmt.Sprintf("{%s of call %d}", what, l.From+1)
}

// legible returns the URL with the placeholders unescaped.
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
