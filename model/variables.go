package model

import "slices"

// Variables returns the names in "${NAME}" references of the arguments and the bodies, without duplicates. Only requests
// by hand have variables; elsewhere such a text has no meaning.
func (t Test) Variables() (names []string) {
	for _, call := range t.Calls {
		var texts []string
		for _, a := range call.Args {
			texts = append(texts, a.Value)
		}
		if call.Body != nil {
			texts = append(texts, call.Body.Data)
		}
		for _, text := range texts {
			for _, name := range SecretNames(text) {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}
