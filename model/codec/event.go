package codec

import (
	"encoding/json"
	"reflect"
	"time"

	"sonde/model"
)

// kinds has the zero value of each type of event, by the name of the type in events.ndjson.
var kinds = map[string]model.Event{
	"started":      model.RunStarted{},
	"covered":      model.TargetCovered{},
	"covered_code": model.CodeCovered{},
	"found":        model.FaultFound{},
	"checked":      model.FaultChecked{},
	"steered":      model.AppliedCommand{},
	"progress":     model.Progress{},
	"resumed":      model.RunResumed{},
	"kept":         model.SuiteReplayed{},
	"held":         model.PauseBegan{},
	"went_on":      model.PauseEnded{},
	"restarted":    model.ServiceRestarted{},
	"start_stubs":  model.StartupStubsFound{},
	"stopped":      model.RunStopped{},
	"note":         model.Note{},
}

// names has the name of each type of event in events.ndjson.
var names = func() map[reflect.Type]string {
	all := map[reflect.Type]string{}
	for name, e := range kinds {
		all[reflect.TypeOf(e)] = name
	}
	return all
}()

func kind(e model.Event) string { return names[reflect.TypeOf(e)] }

// event decodes a line of events.ndjson. Event is nil if this version of Sonde does not know the kind of the event.
// Lines of older versions have no time and no number of calls. For such a line, At is 0, and Call is the number of
// calls in the data of the event, or 0 if the data has none.
func event(line []byte) (l model.LogEntry, err error) {
	var e struct {
		Event string
		At    time.Duration
		Call  int
		Data  json.RawMessage
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return l, err
	}
	l = model.LogEntry{At: e.At, Call: e.Call}
	of, known := kinds[e.Event]
	if !known {
		return l, nil
	}
	into := reflect.New(reflect.TypeOf(of))
	if err := json.Unmarshal(e.Data, into.Interface()); err != nil {
		return l, err
	}
	l.Event = into.Elem().Interface().(model.Event)
	l.Call = max(l.Call, called(l.Event))
	return l, nil
}

// called returns the number of calls that the data of an event states, 0 if it states none.
func called(e model.Event) int {
	switch e := e.(type) {
	case model.FaultFound:
		return e.Fault.At
	case model.RunStopped:
		return e.Summary.Calls
	case nil:
		return 0
	}
	if f := reflect.ValueOf(e).FieldByName("Call"); f.IsValid() {
		return int(f.Int())
	}
	return 0
}
