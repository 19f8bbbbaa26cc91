package sondeunits

import "sonde/assets/probe/sondevalue"

// Function describes a function under test.
type Function struct {
	Receiver bool
	// Reads are the fields of the receiver that are read; all if All is set.
	Reads []string
	All   bool
	// Params and Results are the types of parameters and results that are interfaces, "" for others.
	Params, Results []string
}

func (f *Function) param(i int) string  { return at(f.Params, i) }
func (f *Function) result(i int) string { return at(f.Results, i) }

func at(all []string, i int) string {
	if i < len(all) {
		return all[i]
	}
	return ""
}

// reads reports whether a field of the receiver is read.
func (f *Function) reads(field string) bool {
	if f.All {
		return true
	}
	for _, name := range f.Reads {
		if name == field {
			return true
		}
	}
	return false
}

// Site describes a mockable call.
type Site struct {
	Function int // the function in whose source it is
	Args     int // number of arguments that are not constant
	// Constants are the indexes of constant arguments.
	Constants []int
}

func siteOf(i int) *Site { return &sites[i] }

// constants returns the arguments of a call before any is recorded.
func (s *Site) constants() (args []sondevalue.Value) {
	for _, i := range s.Constants {
		for len(args) <= i {
			args = append(args, sondevalue.Value{})
		}
		args[i].Kind = sondevalue.Constant
	}
	return args
}
