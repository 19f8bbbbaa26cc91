package model

// Encoding is the encoding of a document.
type Encoding string

// The encodings.
const (
	JSONEncoding Encoding = "json"
	XMLEncoding  Encoding = "xml"
	YAMLEncoding Encoding = "yaml"
	FormEncoding Encoding = "form" // names and values, as in a query
	CSVEncoding  Encoding = "csv"
	GobEncoding  Encoding = "gob"           // of Go's encoding/gob
	BigEndian    Encoding = "big-endian"    // values of a fixed size without anything between them
	LittleEndian Encoding = "little-endian" // values of a fixed size without anything between them
	// ProtobufEncoding is that of Protocol Buffers. GRPCEncoding is the JSON with numbers of fields that stubs of gRPC have: a
	// message, or a list of the messages of a stream.
	ProtobufEncoding Encoding = "protobuf"
	GRPCEncoding     Encoding = "grpc"
)

// IsBinary reports whether documents consist of values of a fixed size.
func (e Encoding) IsBinary() bool { return e == BigEndian || e == LittleEndian }

// Format says how documents are encoded.
type Format struct {
	Encoding Encoding `json:"encoding"`
	// Comma separates the columns of CSV; "" means a comma. If Headless is set, the first line has no names.
	Comma    string `json:"comma,omitempty"`
	Headless bool   `json:"headless,omitempty"`
	// Lengths are the names of fields of a binary document with the number of bytes that follow.
	Lengths []string `json:"lengths,omitempty"`
}
