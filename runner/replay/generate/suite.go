package generate

import "sonde/model"

// Suite is the result of Tests.
type Suite struct {
	Tests   []model.Test
	Users   []model.User
	Skipped []SkippedExchange
	// Code says how much code the recorded requests and those with a test run, nil if the recording does not say it.
	Code *CodeChoice
	// Background are the stubs for calls that no request caused. They answer while the service runs.
	Background []model.Stub
	// BackgroundCalls is the number of recorded calls that no request caused. Strays is the number of calls for which
	// it is not known whether a request caused them.
	BackgroundCalls, Strays int
	// Causes has the number of calls that requests caused, for each way in which their causes are known.
	Causes map[model.Attribution]int
	// Base is the most frequent prefix of the recorded paths, before the path of the operation: "/v1"
	// if GET /orders was recorded as GET /v1/orders.
	Base string
	// Operations are the recorded operations, in the order of the spec.
	Operations []OperationCount
}

// SkippedExchange is an exchange from which no test could be made.
type SkippedExchange struct {
	Exchange string     `json:"exchange"`
	Op       model.OpID `json:"op,omitempty"`
	Request  string     `json:"request"` // "GET /orders/17"
	Why      string     `json:"why"`
}

// OperationCount says how much of an operation was recorded, and how many tests were made from it.
type OperationCount struct {
	ID     model.OpID
	Seen   int // number of exchanges
	Shapes int // number of different shapes
	Chosen int // number of tests
	Bytes  int // recorded size of the exchanges
	// Parameters is the number of the operation's parameters; its body counts as one.
	Parameters int
}

// causes returns the number of calls that requests caused, for each way in which their causes are known.
func (r *recordingIndex) causes() map[model.Attribution]int {
	all := map[model.Attribution]int{}
	for _, x := range r.rec.Served {
		for _, o := range x.OutwardCalls {
			all[o.Attribution]++
		}
	}
	return all
}

// mostFrequentBase returns the base that most recorded paths have, such as "/v1".
func (r *recordingIndex) mostFrequentBase() string {
	count := map[string]int{}
	for _, x := range r.exchanges {
		if x.op != nil {
			count[x.base]++
		}
	}
	best := ""
	for _, base := range sortedKeys(count) {
		if count[base] > count[best] {
			best = base
		}
	}
	return best
}

// operations returns the counts of each recorded operation. tests are those made from the recording.
func (r *recordingIndex) operations(tests []model.Test) []OperationCount {
	by := map[model.OpID]*OperationCount{}
	shapes := map[string]bool{}
	for _, x := range r.exchanges {
		if x.op == nil {
			continue
		}
		o := by[x.op.ID]
		if o == nil {
			o = &OperationCount{ID: x.op.ID, Parameters: len(x.op.Params)}
			if x.op.Body != nil {
				o.Parameters++
			}
			by[x.op.ID] = o
		}
		o.Seen++
		o.Bytes += x.size()
		if !shapes[x.shape] {
			shapes[x.shape] = true
			o.Shapes++
		}
	}
	for _, t := range tests {
		by[t.Calls[t.Mock.Call].Op].Chosen++
	}
	var all []OperationCount
	for _, op := range r.spec.Operations {
		if o := by[op.ID]; o != nil {
			all = append(all, *o)
		}
	}
	return all
}

// size returns the recorded size of the exchange and of its outward calls, in bytes.
func (r *recordedExchange) size() int {
	n := len(r.Request.URL) + len(r.Request.Body) + len(r.Reply.Body)
	for _, o := range r.outward {
		n += o.size()
	}
	return n
}
