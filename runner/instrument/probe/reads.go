package probe

import (
	"encoding/json"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"sonde/model"
	"sonde/runner/instrument/probedata"

	"golang.org/x/tools/go/packages"
)

// maxDocuments is the maximum number of documents in a manifest.
const maxDocuments = 100

// decoder describes a function that decodes a document.
type decoder struct {
	encoding model.Encoding
	tag      string // key of tags with the names of fields
	into     int    // index of the argument into which it decodes, or fromReceiver
	from     int    // index of the argument with the document, fromReceiver or fromUnknown
}

// Special values of decoder.from. The field decoder.into may have the value fromReceiver, too.
const (
	fromReceiver = -1
	fromUnknown  = -2
)

// decoderFuncs lists the functions and methods that decode documents into an argument, by package and name.
var decoderFuncs = map[string]decoder{
	"encoding/json.Unmarshal":                      {encoding: model.JSONEncoding, tag: "json", into: 1},
	"encoding/json.Decode":                         {encoding: model.JSONEncoding, tag: "json", from: fromReceiver},
	"encoding/json/v2.Unmarshal":                   {encoding: model.JSONEncoding, tag: "json", into: 1},
	"encoding/json/v2.UnmarshalRead":               {encoding: model.JSONEncoding, tag: "json", into: 1},
	"github.com/goccy/go-json.Unmarshal":           {encoding: model.JSONEncoding, tag: "json", into: 1},
	"github.com/goccy/go-json.Decode":              {encoding: model.JSONEncoding, tag: "json", from: fromReceiver},
	"github.com/json-iterator/go.Unmarshal":        {encoding: model.JSONEncoding, tag: "json", into: 1},
	"github.com/json-iterator/go.Decode":           {encoding: model.JSONEncoding, tag: "json", from: fromReceiver},
	"github.com/bytedance/sonic.Unmarshal":         {encoding: model.JSONEncoding, tag: "json", into: 1},
	"github.com/segmentio/encoding/json.Unmarshal": {encoding: model.JSONEncoding, tag: "json", into: 1},
	"github.com/segmentio/encoding/json.Decode":    {encoding: model.JSONEncoding, tag: "json", from: fromReceiver},
	"encoding/xml.Unmarshal":                       {encoding: model.XMLEncoding, tag: "xml", into: 1},
	"encoding/xml.Decode":                          {encoding: model.XMLEncoding, tag: "xml", from: fromReceiver},
	"encoding/xml.DecodeElement":                   {encoding: model.XMLEncoding, tag: "xml", from: fromReceiver},
	"gopkg.in/yaml.v2.Unmarshal":                   {encoding: model.YAMLEncoding, tag: "yaml", into: 1},
	"gopkg.in/yaml.v2.UnmarshalStrict":             {encoding: model.YAMLEncoding, tag: "yaml", into: 1},
	"gopkg.in/yaml.v2.Decode":                      {encoding: model.YAMLEncoding, tag: "yaml", from: fromReceiver},
	"gopkg.in/yaml.v3.Unmarshal":                   {encoding: model.YAMLEncoding, tag: "yaml", into: 1},
	"gopkg.in/yaml.v3.Decode":                      {encoding: model.YAMLEncoding, tag: "yaml", from: fromReceiver},
	"go.yaml.in/yaml/v2.Unmarshal":                 {encoding: model.YAMLEncoding, tag: "yaml", into: 1},
	"go.yaml.in/yaml/v2.Decode":                    {encoding: model.YAMLEncoding, tag: "yaml", from: fromReceiver},
	"go.yaml.in/yaml/v3.Unmarshal":                 {encoding: model.YAMLEncoding, tag: "yaml", into: 1},
	"go.yaml.in/yaml/v3.Decode":                    {encoding: model.YAMLEncoding, tag: "yaml", from: fromReceiver},
	"go.yaml.in/yaml/v4.Unmarshal":                 {encoding: model.YAMLEncoding, tag: "yaml", into: 1},
	"go.yaml.in/yaml/v4.Load":                      {encoding: model.YAMLEncoding, tag: "yaml", into: 1},
	"go.yaml.in/yaml/v4.Decode":                    {encoding: model.YAMLEncoding, tag: "yaml", from: fromReceiver},
	"github.com/goccy/go-yaml.Unmarshal":           {encoding: model.YAMLEncoding, tag: "yaml", into: 1},
	"github.com/goccy/go-yaml.Decode":              {encoding: model.YAMLEncoding, tag: "yaml", from: fromReceiver},
	"sigs.k8s.io/yaml.Unmarshal":                   {encoding: model.YAMLEncoding, tag: "json", into: 1},
	"github.com/ghodss/yaml.Unmarshal":             {encoding: model.YAMLEncoding, tag: "json", into: 1},
	"encoding/gob.Decode":                          {encoding: model.GobEncoding, from: fromReceiver},
	"encoding/binary.Read":                         {encoding: model.BigEndian, into: 2},
	"encoding/binary.Decode":                       {encoding: model.BigEndian, into: 1},
	"github.com/gocarina/gocsv.Unmarshal":          {encoding: model.CSVEncoding, tag: "csv", into: 1},
	"github.com/gocarina/gocsv.UnmarshalCSV":       {encoding: model.CSVEncoding, tag: "csv", into: 1},
	"github.com/gorilla/schema.Decode":             {encoding: model.FormEncoding, tag: "schema", from: 1},
	"google.golang.org/protobuf/proto.Unmarshal":   {encoding: model.ProtobufEncoding, into: 1},
	"github.com/golang/protobuf/proto.Unmarshal":   {encoding: model.ProtobufEncoding, into: 1},
	"github.com/gogo/protobuf/proto.Unmarshal":     {encoding: model.ProtobufEncoding, into: 1},
}

// decoders finds the types into which packages decode documents. If a package decodes in a function of its own,
// decoders finds the types that are passed to this function.
type decoders struct {
	pkgs    []*packages.Package
	takers  map[*types.Func][]decoder // functions that decode into a parameter
	generic map[*types.Func][]decoder // functions that decode into a type parameter, whose index is decoder.into
}

// documentsOf returns the documents that packages decode, in a stable order. It leaves out requests to the
// service, and returns at most maxDocuments.
func documentsOf(pkgs []*packages.Package) []probedata.Document {
	r := decoders{pkgs: pkgs, takers: map[*types.Func][]decoder{}, generic: map[*types.Func][]decoder{}}
	for known := -1; known < r.size(); {
		known = r.size()
		r.each(r.pass)
	}
	found := documentSet{}
	r.each(func(p *packages.Package, c decodeCall) {
		t := pointee(p.TypesInfo.TypeOf(c.into))
		if t == nil && c.decoder.into == fromReceiver {
			t = p.TypesInfo.TypeOf(c.into)
		}
		if t != nil && !c.origin.request {
			found.addType(p, c.decoder, t)
		}
	})
	r.instances(found.addType)
	for _, p := range pkgs {
		found.addForms(p)
		found.addTables(p)
		found.addLayouts(p)
	}
	var all []probedata.Document
	for _, key := range slices.Sorted(maps.Keys(found)) {
		all = append(all, found[key])
	}
	return all[:min(len(all), maxDocuments)]
}

// documentSet has each document once, by its JSON.
type documentSet map[string]probedata.Document

func (all documentSet) add(d probedata.Document) {
	known := len(d.Shape.Fields) > 0 || d.Shape.Items != nil || d.Encoding.IsBinary() && d.Shape.Type != ""
	if text, err := json.Marshal(d); err == nil && known {
		all[string(text)] = d
	}
}

// addType adds the document that a package decodes into a type.
func (all documentSet) addType(p *packages.Package, by decoder, t types.Type) {
	s := shaper{by.encoding, by.tag, nil, nil}
	if by.encoding == model.JSONEncoding || by.encoding == model.YAMLEncoding {
		s.keys, s.typed = keysOf(p), typedKeysOf(p)
	}
	d := probedata.Document{Format: model.Format{Encoding: by.encoding}, Shape: s.shape(t, maxShape)}
	switch {
	case by.encoding == model.XMLEncoding:
		d.Root = rootOf(t)
	case by.encoding.IsBinary():
		d.Lengths = lengthFields(p, d.Shape)
	case by.encoding == model.ProtobufEncoding:
		d.Shape = newMessageShaper().message(t, maxShape)
	}
	all.add(d)
}

func (r *decoders) size() (n int) {
	for _, all := range r.takers {
		n += len(all)
	}
	for _, all := range r.generic {
		n += len(all)
	}
	return n
}

// decodeCall is a call that decodes a document.
type decodeCall struct {
	decoder
	around *types.Func // the function that contains the call, or nil
	call   *ast.CallExpr
	into   ast.Expr
	origin origin
}

// each calls the function visit for each call that decodes a document.
func (r *decoders) each(visit func(p *packages.Package, c decodeCall)) {
	for _, p := range r.pkgs {
		eachFunc(p, func(fn *types.Func, body *ast.BlockStmt) {
			ast.Inspect(body, func(n ast.Node) bool {
				c, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				for _, d := range r.decodersOf(p.TypesInfo, fn, c) {
					if into := argumentOf(c, d.into); into != nil {
						visit(p, decodeCall{d, fn, c, into, originOf(p.TypesInfo, fn, body, argumentOf(c, d.from), requestContent)})
					}
				}
				return true
			})
		})
	}
}

// eachFunc calls the function visit for each declared function of a package that has a body.
func eachFunc(p *packages.Package, visit func(fn *types.Func, body *ast.BlockStmt)) {
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				fn, _ := p.TypesInfo.Defs[f.Name].(*types.Func)
				visit(fn, f.Body)
			}
		}
	}
}

// argumentOf returns the argument of a call that has an index or, if the index is fromReceiver, the receiver. It
// returns nil if the call has no such argument or receiver.
func argumentOf(c *ast.CallExpr, index int) ast.Expr {
	switch s, isMethod := ast.Unparen(c.Fun).(*ast.SelectorExpr); {
	case index >= 0 && index < len(c.Args):
		return c.Args[index]
	case index == fromReceiver && isMethod:
		return s.X
	}
	return nil
}

// decodersOf returns a decoder for each way in which a call decodes a document, nil if it decodes none. around is the
// function that contains the call.
func (r *decoders) decodersOf(info *types.Info, around *types.Func, c *ast.CallExpr) []decoder {
	id := calleeName(c)
	if id == nil {
		return nil
	}
	fn, ok := info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return nil
	}
	d, ok := decoderFuncs[fn.Pkg().Path()+"."+fn.Name()]
	if isMessageDecoder(fn) && !isMessageDecoder(around) { // calls in such a method decode only parts of a message
		return []decoder{{encoding: model.ProtobufEncoding, into: fromReceiver}}
	}
	if !ok {
		return r.takers[fn.Origin()]
	}
	if d.encoding.IsBinary() && len(c.Args) > 1 {
		d.encoding = byteOrder(info, c.Args[len(c.Args)-1], d.encoding)
		d.encoding = byteOrder(info, c.Args[1], d.encoding)
	}
	return []decoder{d}
}

// byteOrder returns the encoding for an expression that names a byte order of package encoding/binary. For any
// other expression it returns other.
func byteOrder(info *types.Info, e ast.Expr, other model.Encoding) model.Encoding {
	s, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || info.Uses[s.Sel] == nil || info.Uses[s.Sel].Pkg() == nil || info.Uses[s.Sel].Pkg().Path() != "encoding/binary" {
		return other
	}
	switch s.Sel.Name {
	case "BigEndian":
		return model.BigEndian
	case "LittleEndian", "NativeEndian":
		return model.LittleEndian
	}
	return other
}

// pass handles a call that decodes into a parameter or a type parameter of the function around it: it records this
// function as a decoder.
func (r *decoders) pass(p *packages.Package, c decodeCall) {
	if c.around == nil || c.origin.request {
		return
	}
	d := c.decoder
	d.from = c.origin.param
	if id, ok := ast.Unparen(c.into).(*ast.Ident); ok {
		params := c.around.Signature().Params()
		for i := range params.Len() {
			if d.into = i; p.TypesInfo.Uses[id] == params.At(i) && !slices.Contains(r.takers[c.around], d) {
				r.takers[c.around] = append(r.takers[c.around], d)
			}
		}
	}
	t, ok := pointee(p.TypesInfo.TypeOf(c.into)).(*types.TypeParam)
	if !ok || c.around.Signature().TypeParams() == nil {
		return
	}
	if d.into = t.Index(); !slices.Contains(r.generic[c.around], d) {
		r.generic[c.around] = append(r.generic[c.around], d)
	}
}

// instances finds the calls of functions that decode into a type parameter. For each, it calls the function keep with
// the type argument into which the call decodes. It leaves out calls that decode a request to the service.
func (r *decoders) instances(keep func(p *packages.Package, by decoder, t types.Type)) {
	for _, p := range r.pkgs {
		requests := r.instancesOfRequests(p)
		for id, inst := range p.TypesInfo.Instances {
			fn, ok := p.TypesInfo.Uses[id].(*types.Func)
			if !ok || requests[id] {
				continue
			}
			for _, d := range r.generic[fn.Origin()] {
				if d.into < inst.TypeArgs.Len() {
					keep(p, d, inst.TypeArgs.At(d.into))
				}
			}
		}
	}
}

// instancesOfRequests returns, for each call of a generic function that decodes documents, the identifier that names
// the function. The value of the identifier is true if the call decodes a request to the service.
func (r *decoders) instancesOfRequests(p *packages.Package) map[*ast.Ident]bool {
	all := map[*ast.Ident]bool{}
	eachFunc(p, func(around *types.Func, body *ast.BlockStmt) {
		ast.Inspect(body, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			id := genericName(c)
			if fn, ok := p.TypesInfo.Uses[id].(*types.Func); ok {
				for _, d := range r.generic[fn.Origin()] {
					all[id] = all[id] || originOf(p.TypesInfo, around, body, argumentOf(c, d.from), requestContent).request
				}
			}
			return true
		})
	})
	return all
}

// genericName returns the same as calleeName. For a call with type arguments, it returns the name before them.
func genericName(c *ast.CallExpr) *ast.Ident {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.IndexExpr:
		return calleeName(&ast.CallExpr{Fun: f.X})
	case *ast.IndexListExpr:
		return calleeName(&ast.CallExpr{Fun: f.X})
	}
	return calleeName(c)
}

// pointee returns the type that a pointer points to, or nil.
func pointee(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	p, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	return types.Unalias(p.Elem())
}
