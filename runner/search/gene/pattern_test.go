package gene

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

func TestPatterns(t *testing.T) {
	cases := []struct {
		expr  string
		least int // the least number of different values in 200 samples
	}{
		{`^[A-Z]{2}\d{4}$`, 150},
		{`^\+?[0-9 ()-]{7,20}$`, 150},
		{`^(draft|active|retired)$`, 3},
		{`^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$`, 0},
		{`[a-f0-9]{24}`, 150},
		{`^[^@\s]+@[^@\s]+\.[a-z]{2,}$`, 150},
		{`^\p{Lu}\p{Ll}+$`, 100},
		{`^\u0041[\u0030-\u0039]+$`, 50},
		{`^[a-z0-9]+(?:-[a-z0-9]+)*$`, 120},
		{`^#(?:[0-9a-fA-F]{3}){1,2}$`, 150},
		{`\bfoo\b`, 1},
		{`^.*$`, 80},
		{`^\d{3}-\d{2}-\d{4}$`, 150},
		{`^(\d{4})-(0[1-9]|1[0-2])$`, 150},
		{`(?i)^abc$`, 1},
		{`^[α-ω]+$`, 50},
		{`^\/[a-z\/]*$`, 50},
		{`^arn:[a-z]{1,63}:.{0,1023}$`, 150},
	}
	for _, c := range cases {
		t.Run(c.expr, func(t *testing.T) {
			got := values(&model.Schema{Type: "string", Pattern: c.expr}, 200)
			if len(got) < c.least {
				t.Errorf("%d values, want %d", len(got), c.least)
			}
			expr, err := regexp.Compile(escaped.ReplaceAllString(c.expr, `\x{$1}`))
			if err != nil {
				return // Go cannot judge it
			}
			for v := range got {
				if !expr.MatchString(v) {
					t.Errorf("%q does not match", v)
				}
			}
		})
	}
}

func TestPatternWithLookaround(t *testing.T) {
	s := &model.Schema{Type: "string", Pattern: `^(?=.*[A-Z)])(?!x)(?=.*\d)[A-Za-z\d]{8,12}$`}
	for v := range values(s, 100) {
		if !regexp.MustCompile(`^[A-Za-z\d]{8,12}$`).MatchString(v) {
			t.Errorf("got %q", v)
		}
	}
}

func TestPatternWithLengths(t *testing.T) {
	s := &model.Schema{Type: "string", Pattern: `^[a-z]+\d+$`, MinLength: 24, MaxLength: new(26)}
	for v := range values(s, 100) {
		if why := broken(s, v); why != "" {
			t.Error(why)
		}
	}
}

func TestPatternWithoutStrings(t *testing.T) {
	for _, expr := range []string{`[^\s\S]`, `^b^a`, `(`, `a{2000}`, `(?<!a)(?=b`, `\`, `^(a\b)+b$`, `(a)\1`, `((\b)*)*$a`} {
		t.Run(expr, func(t *testing.T) {
			got := values(&model.Schema{Type: "string", Pattern: expr, MinLength: 2, MaxLength: new(4)}, 50)
			if len(got) < 10 {
				t.Errorf("only %d different strings", len(got))
			}
		})
	}
}

func TestMutationMostlyKeepsPattern(t *testing.T) {
	s := &model.Schema{Type: "string", Pattern: `^[A-Z]{3}-\d{2,5}$`}
	r, g := source(1), sampled(s, source(1))
	valid, near := 0, 0
	for range 300 {
		before := Text(g)
		if !g.MutateValue(r, Pace{}) || Text(g) == before {
			t.Fatalf("%q did not change", before)
		}
		if broken(s, Text(g)) != "" {
			g.Sample(r)
			continue
		}
		valid++
		if after := Text(g); len(after) != len(before) || differ([]rune(after), []rune(before)) == 1 {
			near++
		}
	}
	if valid < 240 || valid == 300 || near < valid/2 {
		t.Errorf("%d of 300 mutants match, %d of them near by", valid, near)
	}
}

// Nested loops that write nothing end, although the length never reaches its limit.
func TestNestedLoopsEnd(_ *testing.T) {
	s := &model.Schema{Type: "string", Pattern: `^((((\b)*)*)*(a*)*)*$`, MinLength: 8000, MaxLength: new(8100)}
	values(s, 2)
}

func TestGeneratedStringsMatch(t *testing.T) {
	piece := rapid.SampledFrom([]string{`a`, `\d`, `[a-z]`, `[^x]`, `(b|cd)`, `.`, `\w`, `-`})
	loop := rapid.SampledFrom([]string{``, `*`, `+`, `?`, `{2}`, `{1,3}`, `{2,}`})
	rapid.Check(t, func(t *rapid.T) {
		expr := "^"
		for range rapid.IntRange(1, 6).Draw(t, "pieces") {
			expr += piece.Draw(t, "piece") + loop.Draw(t, "loop")
		}
		s := &model.Schema{Type: "string", Pattern: expr + "$", MaxLength: new(60)}
		g := sampled(s, source(rapid.Uint64().Draw(t, "seed")))
		if why := broken(s, decode(t, g)); why != "" {
			t.Fatal(why)
		}
	})
}

func FuzzPattern(f *testing.F) {
	for _, expr := range []string{`^a+$`, `(?=x)[a-z]{2,3}`, `[[:alpha:]]`, `\u00e9`, `(((a*)*)*)*`} {
		f.Add(expr)
	}
	f.Fuzz(func(t *testing.T, expr string) {
		g := sampled(&model.Schema{Type: "string", Pattern: expr}, source(1))
		g.MutateValue(source(2), Pace{})
		decode(t, g)
	})
}
