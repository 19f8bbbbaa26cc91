package generate

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/route"
	"sonde/runner/replay/shape"
)

// recordingIndex is a recording, indexed to find the exchanges that a test needs.
type recordingIndex struct {
	rec            model.Recording // without the calls in background
	background     background
	shared         sharedConnections
	uncertain      map[string]bool // IDs of requests for which it is not known whether they caused a call of the background
	spec           *model.Spec
	router         *route.Router
	names          valueNames
	credentialKeys map[string]bool // names of credentials in the spec, in lower case
	exchanges      []*recordedExchange
	// origins has the answers that contain a value, by the text of the value, in recorded order.
	origins map[string][]valueOrigin
	// writesTo has the writes that created a resource or have it on their path, by the path of the resource.
	// writesNaming has the writes to other resources whose requests contain the id of the resource.
	writesTo, writesNaming map[string][]*recordedExchange
	byShape                map[string][]*recordedExchange
	// reusing has the operations whose writes named the same resource several times.
	reusing map[model.OpID]bool
	// certainHosts are the hosts with at least one outward call whose cause is known for certain.
	certainHosts map[string]bool
	// callOutward are the operations with at least one exchange that has an outward call.
	callOutward map[model.OpID]bool
	// overlaps are the kinds of outward calls that overlapped in time, by operation.
	overlaps map[model.OpID]map[kindPair]bool
}

// valueOrigin is a value in an answer.
type valueOrigin struct {
	*recordedExchange
	leaf
	isNew bool // neither the request nor an earlier answer had the value
}

// newRecordingIndex indexes a recording. The exchanges of the index are in the order in which they began.
func newRecordingIndex(rec model.Recording, spec *model.Spec) *recordingIndex {
	router := route.New(spec)
	shared := findSharedConnections(rec)
	rec = shared.separate(rec)
	rec, background, uncertain := separateBackground(rec, router)
	r := &recordingIndex{
		rec:            rec,
		background:     background,
		shared:         shared,
		uncertain:      uncertain,
		spec:           spec,
		router:         router,
		names:          newValueNames(spec),
		credentialKeys: credentialKeys(spec),
		origins:        map[string][]valueOrigin{},
		writesTo:       map[string][]*recordedExchange{},
		writesNaming:   map[string][]*recordedExchange{},
		byShape:        map[string][]*recordedExchange{},
		reusing:        map[model.OpID]bool{},
		callOutward:    map[model.OpID]bool{},
		overlaps:       map[model.OpID]map[kindPair]bool{},
		certainHosts:   map[string]bool{},
	}
	for _, x := range rec.Served {
		for _, o := range x.OutwardCalls {
			r.certainHosts[o.Host] = r.certainHosts[o.Host] || o.Attribution.Certain()
		}
	}
	resets := 0
	for i, served := range rec.Served {
		if r.isReset(served) {
			resets++
		}
		x := r.newExchange(i, served)
		x.resets = resets
		r.exchanges = append(r.exchanges, x)
		r.add(x)
	}
	return r
}

// credentialKeys returns the names of headers, cookies and parameters that carry credentials according to the spec,
// in lower case.
func credentialKeys(spec *model.Spec) map[string]bool {
	keys := map[string]bool{}
	for _, s := range spec.SecuritySchemes {
		if s.Key != "" {
			keys[strings.ToLower(s.Key)] = true
		}
	}
	return keys
}

// isReset reports whether x is the request by which the recording resets the service.
func (r *recordingIndex) isReset(x model.ServedRequest) bool {
	reset := r.rec.Reset
	path, _, _ := strings.Cut(x.Request.URL, "?")
	return reset != nil && reset.Path != "" && reset.Method == x.Request.Method && strings.HasSuffix(path, reset.Path)
}

// add indexes an exchange. All exchanges that began earlier must have been added.
func (r *recordingIndex) add(x *recordedExchange) {
	if x.op == nil {
		return
	}
	r.byShape[x.shape] = append(r.byShape[x.shape], x)
	r.addOverlaps(x)
	r.callOutward[x.op.ID] = r.callOutward[x.op.ID] || len(x.outward) > 0
	if !x.succeeded() {
		return
	}
	for _, l := range x.responseValues {
		if text := l.text(); text != "" && len(text) <= maxValue && shape.JSONType(l.value) != "boolean" {
			r.origins[text] = append(r.origins[text], valueOrigin{recordedExchange: x, leaf: l, isNew: r.isNewValue(x, l)})
		}
	}
	if x.isWrite() {
		r.addWrite(x)
	}
}

// addWrite indexes a write by the resources that it created, changed or named.
func (r *recordingIndex) addWrite(x *recordedExchange) {
	on := map[string]bool{}
	for _, key := range x.pathResources {
		on[key] = true
	}
	if x.createdResource != "" {
		on[x.createdResource] = true
	}
	for key := range on {
		r.writesTo[key] = append(r.writesTo[key], x)
	}
	for _, key := range r.resourcesOf(x) {
		if on[key] {
			continue
		}
		r.reusing[x.op.ID] = r.reusing[x.op.ID] ||
			slices.ContainsFunc(r.writesNaming[key], func(o *recordedExchange) bool { return o.op == x.op && o.resets == x.resets })
		r.writesNaming[key] = append(r.writesNaming[key], x)
	}
}

// isNewValue reports whether a value is new in the answer of x: the id of the created resource, or
// a value that neither the request nor an earlier answer had.
func (r *recordingIndex) isNewValue(x *recordedExchange, l leaf) bool {
	if x.createdResource != "" && l.isID && url.PathEscape(l.text()) == lastSegment(x.createdResource) &&
		l.sharesName(x.createdIDNames()) {
		return true
	}
	if slices.ContainsFunc(x.requestValues, func(a leaf) bool { return a.text() == l.text() && a.sameValue(l) }) {
		return false
	}
	for _, origin := range r.origins[l.text()] {
		if origin.resets == x.resets && origin.sameValue(l) {
			return false
		}
	}
	return true
}

// createdIDNames returns a leaf with the names under which the answer may have the id of the
// created resource.
func (r *recordedExchange) createdIDNames() leaf {
	of := plain(match.Singular(strings.ToLower(match.ResourceName(r.op.Path))))
	all := leaf{names: []string{of + "id", "id"}}
	for _, l := range r.responseValues {
		if l.in == model.InHeader {
			all.names = append(all.names, l.names...)
		}
	}
	return all
}

// lastSegment returns what follows the last slash of a path.
func lastSegment(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// valueOrigin returns the answer from which a value of a request came: the latest earlier answer in
// which the value was new and for which comesFromCall is true. It returns false if there is none, or
// if the value is too common to be sure.
func (r *recordingIndex) valueOrigin(x *recordedExchange, l leaf) (valueOrigin, bool) {
	text := l.text()
	secret := isSecretName(l.lastName()) && len(text) >= 8
	if text == "" || len(text) > maxValue || l.in == model.InBody && !l.isID && !secret && !isDistinctive(text) ||
		l.in == model.InHeader && !isDistinctive(text) {
		return valueOrigin{}, false
	}
	for _, origin := range slices.Backward(r.origins[text]) {
		if origin.isNew && origin.resets == x.resets && origin.recordedExchange.endedBefore(x) &&
			r.comesFromCall(origin) && origin.sameValue(l) &&
			(l.isID || origin.isID || secret && origin.sharesName(l) || looksGenerated(text)) {
			return origin, true
		}
	}
	return valueOrigin{}, false
}

// comesFromCall reports whether a value exists because of the call that returned it. A value in the answer to a read
// existed before, unless it looks as if it was generated for this request.
func (r *recordingIndex) comesFromCall(origin valueOrigin) bool {
	return origin.hasUnsafeMethod() || looksGenerated(origin.leaf.text())
}

// resourcesOf returns the resources that a request names: the resources on its path, and the
// resources whose values it has, if an earlier call created them.
func (r *recordingIndex) resourcesOf(x *recordedExchange) []string {
	all := slices.Clone(x.pathResources)
	for _, l := range x.requestValues {
		if origin, ok := r.valueOrigin(x, l); ok && origin.createdResource != "" && !slices.Contains(all, origin.createdResource) {
			all = append(all, origin.createdResource)
		}
	}
	return all
}

// sortedKeys returns the keys of m in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
