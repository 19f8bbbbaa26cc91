// Package sondevalue has the format of recorded invocations: lines of JSON, each an Invocation, which package sondeunits
// writes within a service and runner/instrument/unitdata reads.
package sondevalue

// Invocation is one invocation of a function under test.
type Invocation struct {
	Function int `json:"f"`
	// Number counts the invocations of a process from 1. Process is the index of the process in the recording.
	Number  int `json:"n"`
	Process int `json:"-"`
	// Parent is the number of the invocation within which this one was made, on the same goroutine; 0 if there is none.
	Parent int `json:"p,omitempty"`
	// Nanoseconds that the function ran, with the calls that it made and the time for recording them.
	Nanoseconds int64 `json:"ns,omitempty"`

	Before State `json:"before"`
	After  State `json:"after"`
	// Results are missing if the function has panicked.
	Results  []Value `json:"results,omitempty"`
	Panicked bool    `json:"panicked,omitempty"`
	Calls    []Call  `json:"calls,omitempty"` // in the order in which they began
	// Why is the reason why no test can be made of the invocation, such as a limit. It is "" if everything was recorded.
	Why string `json:"why,omitempty"`
}

// State has the inputs of an invocation, or what became of them.
type State struct {
	Receiver *Value  `json:"recv,omitempty"`
	Args     []Value `json:"args,omitempty"` // one for each parameter; the variadic parameter is a slice
	// Objects are what the values and the results refer to, by Value.Ref. The same number means the same variable, also in
	// another State and in the Calls of the invocation.
	Objects map[int]Value `json:"objects,omitempty"`
}

// Call is a mockable call that was made during an invocation.
type Call struct {
	Site int `json:"s"`
	// Instance identifies the object that was called. Value.Instance of inputs, arguments and results has the same number.
	Instance int     `json:"i"`
	Args     []Value `json:"args,omitempty"` // constant ones have Kind Constant
	Results  []Value `json:"results,omitempty"`
	// Panicked reports whether the call did not return.
	Panicked bool `json:"panicked,omitempty"`
	// Objects are what the arguments referred to before the call.
	Objects map[int]Value `json:"objects,omitempty"`
	// Written has the objects of the arguments which the call changed, with their values after it, and the objects of the
	// results.
	Written map[int]Value `json:"written,omitempty"`
	// Concurrent reports whether another goroutine than that of the invocation made the call.
	Concurrent bool `json:"go,omitempty"`
	// Within is the index of the call during which this one was made, from 1; 0 if there is none.
	Within int `json:"w,omitempty"`
	// Caller is the ID of the function in whose source the site is.
	Caller int `json:"c"`
}

// Kind says which members of a Value are used.
type Kind string

// The kinds of values. Unless noted otherwise, they are in Value.Text.
const (
	Zero    Kind = ""  // the zero value of the type, such as nil
	Scalar  Kind = "v" // a boolean or a number, as strconv formats it; a complex number as "(1+2i)"
	String  Kind = "s" // if it is not valid UTF-8, it is in Bytes
	Bytes   Kind = "b" // an array of bytes, or the bytes of a slice, in Bytes
	List    Kind = "l" // an array, or the elements of a slice, in Elems
	Map     Kind = "m" // Entries
	Struct  Kind = "o" // Fields
	Pointer Kind = "p" // Ref is the variable to which it points
	Slice   Kind = "a" // Ref is a List or Bytes
	MapRef  Kind = "d" // Ref is a Map
	Func    Kind = "f" // the name of the function in the program; Instance is the function value
	// Mock is an object behind an interface that the service's functions under test call. Its content is not recorded.
	// If it is a http.ResponseWriter, too, Elems[0] is a Response.
	Mock Kind = "i"
	// Global is a package-level variable with the value: its import path, a dot, and its name. If it is an error, Elems[0]
	// has its message.
	Global Kind = "g"
	// Error is an error of a type that a test cannot write: its message. Elems are the errors that it wraps.
	Error   Kind = "err"
	Marshal Kind = "text" // what its method MarshalText returns
	Time    Kind = "time" // RFC 3339 with nanoseconds
	Context Kind = "ctx"  // Entries are its keys and values, the outermost first; the text is its error, "" if there is none
	Request Kind = "req"  // a *http.Request; Fields are some of its fields; Bytes is what was read of its body; Elems[0] is its context
	// Response is a http.ResponseWriter: the status so far, "" if none, "?" if it is not known. Ref is the number of bytes
	// written, -1 if it is not known. Bytes is the body, if it is still in a buffer.
	Response Kind = "w"
	Constant Kind = "c" // an argument that is constant in the source
	Unread   Kind = "?" // a value that was not read, and why
)

// Value is a value of Go.
type Value struct {
	Kind Kind `json:"k,omitempty"`
	// Type is the type of the value, with full import paths. It is given for the inputs, the results, and for what is in
	// an interface.
	Type     string  `json:"t,omitempty"`
	Text     string  `json:"v,omitempty"`
	Bytes    []byte  `json:"b,omitempty"`
	Elems    []Value `json:"e,omitempty"`
	Fields   []Field `json:"o,omitempty"` // fields with zero values are left out
	Entries  []Entry `json:"m,omitempty"`
	Ref      int     `json:"r,omitempty"`
	Instance int     `json:"i,omitempty"`
}

// Field is a field of a struct.
type Field struct {
	Name  string `json:"n"`
	Value Value  `json:"v"`
}

// Entry is an entry of a map, or a key of a context with its value.
type Entry struct {
	Key   Value `json:"k"`
	Value Value `json:"v"`
}
