package collection

import (
	"fmt"
	"regexp"
	"strings"
)

// answerVariables are the variables that scripts of earlier requests have set to values of their answers, with the
// references to these values.
type answerVariables map[string]string

// use replaces the variables in a request by references to the answers of earlier requests. set has the variables that
// the request itself sets, with the paths of their values, such as ".access_token". number is that of the request, from 1.
func (a answerVariables) use(r *Request, set map[string]string, number int) {
	r.mapTexts(func(text string) string {
		return Fill(text, func(name string) (string, bool) {
			reference, ok := a[name]
			return reference, ok
		})
	})
	if len(set) > 0 && r.ID == "" {
		r.ID = fmt.Sprintf("request%d", number)
	}
	for name, path := range set {
		a[name] = "{{" + r.ID + ".response.body.$" + path + "}}"
	}
}

const valuePath = `((?:\.[A-Za-z_]\w*|\[\d+\]|\[["'][^"'\]]+["']\])+)`

var (
	// postmanAnswer matches the statement that names the answer in a script of Postman.
	postmanAnswer = regexp.MustCompile(
		`(?:const|let|var)\s+([A-Za-z_]\w*)\s*=\s*(?:pm\.response\.json\(\)|JSON\.parse\(\s*responseBody\s*\))\s*;?`,
	)
	// postmanCapture matches the statement by which a script of Postman sets a variable to a value of the answer.
	postmanCapture = regexp.MustCompile(
		`(?:pm\.(?:environment|collectionVariables|globals|variables)\.set|postman\.set(?:Environment|Global)Variable)` +
			`\(\s*["']([\w.-]+)["']\s*,\s*(pm\.response\.json\(\)|[A-Za-z_]\w*)` + valuePath + `\s*\)\s*;?`,
	)
	scriptComment = regexp.MustCompile(`(?m)^\s*//.*$`)
	// brunoCapture matches the value of a variable that Bruno takes from the answer.
	brunoCapture = regexp.MustCompile(`^res\.body` + valuePath + `$`)
)

// postmanCaptures returns the variables that a script sets to values of the answer, with the paths of these values. whole
// reports whether the script does nothing else.
func postmanCaptures(script string) (set map[string]string, whole bool) {
	names := map[string]bool{"pm.response.json()": true}
	for _, m := range postmanAnswer.FindAllStringSubmatch(script, -1) {
		names[m[1]] = true
	}
	set = map[string]string{}
	for _, m := range postmanCapture.FindAllStringSubmatch(script, -1) {
		if !names[m[2]] || len(m[3]) > maxCapture {
			return set, false
		}
		set[m[1]] = m[3]
	}
	for _, known := range []*regexp.Regexp{postmanAnswer, postmanCapture, scriptComment} {
		script = known.ReplaceAllString(script, "")
	}
	return set, strings.TrimSpace(script) == ""
}
