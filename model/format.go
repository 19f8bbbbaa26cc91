package model

// Encoding is the encoding of a document.
type Encoding string

// The encodings of documents.
const (
	JSONEncoding Encoding = "json"
	XMLEncoding  Encoding = "xml"
	YAMLEncoding Encoding = "yaml"
	FormEncoding Encoding = "form" // names and values, as in a query
	CSVEncoding  Encoding = "csv"
	GobEncoding  Encoding = "gob"           // of Go's encoding/gob
	BigEndian    Encoding = "big-endian"    // values of a fixed size without anything between them
	LittleEndian Encoding = "little-endian" // values of a fixed size without anything between them
	// ProtobufEncoding is the binary encoding of Protocol Buffers. GRPCEncoding is the JSON in stubs of gRPC, where
	// the names of members are field numbers: one message, or a list for a stream of messages.
	ProtobufEncoding Encoding = "protobuf"
	GRPCEncoding     Encoding = "grpc"
)

// IsBinary reports whether documents are binary records: values of a fixed size, one after another.
func (e Encoding) IsBinary() bool { return e == BigEndian || e == LittleEndian }

// Format says how documents are encoded.
type Format struct {
	Encoding Encoding `json:"encoding"`
	// Comma separates the columns of CSV; "" means a comma. Headless reports whether the first line of CSV has data
	// instead of column names.
	Comma    string `json:"comma,omitempty"`
	Headless bool   `json:"headless,omitempty"`
	// Lengths are the names of fields of a binary document. Such a field contains the number of bytes that follow it.
	Lengths []string `json:"lengths,omitempty"`
}
