package report_test

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browserPath returns the path of a Chromium, and skips the test if there is none.
func browserPath(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium: install Debian's package chromium")
	return ""
}

// opened opens a page in a browser without a window, at a width. Dialogs and errors of scripts fail the test. before are
// actions before the page is loaded.
func opened(t *testing.T, html string, width int64, scheme string, before ...action) context.Context {
	t.Helper()
	options := append(
		chromedp.DefaultExecAllocatorOptions[:len(chromedp.DefaultExecAllocatorOptions):len(chromedp.DefaultExecAllocatorOptions)],
		chromedp.ExecPath(browserPath(t)), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()),
		// No update and no look-up of a name: tests call no other machine.
		chromedp.Flag("disable-component-update", true), chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"),
	)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithListener(func(event any) {
		switch e := event.(type) {
		case *page.EventJavascriptDialogOpening:
			t.Errorf("the page opened a dialog: %s", e.Message)
		case *runtime.EventExceptionThrown:
			t.Errorf("a script failed: %s", e.ExceptionDetails.Text)
		}
	}))
	t.Cleanup(cancel)
	path := filepath.Join(t.TempDir(), "run.html")
	if err := os.WriteFile(path, []byte(html), 0o600); err != nil {
		t.Fatal(err)
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme},
		{Name: "prefers-reduced-motion", Value: "reduce"}, // a click finds its element at once
	}}
	act(ctx, t, chromedp.EmulateViewport(width, 900), sent(emulation.SetEmulatedMedia, media))
	act(ctx, t, before...)
	act(ctx, t, chromedp.Navigate(address.String()), chromedp.WaitReady(chromedp.CSS("footer")))
	return ctx
}

// action is what the browser does without a result.
type action = chromedp.Action[chromedp.Void]

// sent returns an action that sends a command of the protocol.
func sent[P, R any](command cdp.Command[P, R], params P) action {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, command, params)
		return err
	})
}

// script returns an action that runs a script in the page.
func script(text string) action { return chromedp.Evaluate[chromedp.Void](text) }

func click(selector string) action { return chromedp.Click(chromedp.CSS(selector)) }

// choose returns an action that chooses a value of a select.
func choose(name, choice string) action {
	return script(`{
		const list = document.querySelector("select[name=` + name + `]");
		list.value = "` + choice + `";
		list.dispatchEvent(new Event("input", { bubbles: true }));
	}`)
}

func act(ctx context.Context, t *testing.T, actions ...action) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// value returns the value of an expression in the page.
func value[T any](ctx context.Context, t *testing.T, expression string, options ...chromedp.EvaluateOption) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, options...))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// expect fails the test if an expression in the page does not get a value. It waits for the value, because the page
// reacts to events later.
func expect[T comparable](ctx context.Context, t *testing.T, expression string, want T) {
	t.Helper()
	var got T
	for range 100 {
		if got = value[T](ctx, t, expression); got == want {
			return
		}
		act(ctx, t, chromedp.Sleep(20*time.Millisecond))
	}
	t.Errorf("%s is %v, want %v", expression, got, want)
}

func TestRunPageInBrowser(t *testing.T) {
	ctx := opened(t, runPage(t, shopRun(hostile)), 1440, "light")

	t.Run("keyboard", func(t *testing.T) {
		act(ctx, t, chromedp.KeyEvent(kb.Tab))
		expect(ctx, t, `document.activeElement.className`, "skip")
		if outline := value[string](ctx, t, `getComputedStyle(document.activeElement).outlineStyle`); outline == "none" {
			t.Error("the focus is not visible")
		}
		const focused = `(e => e.id || e.name || e.parentElement.id)(document.activeElement)`
		reached := map[string]bool{}
		for range 80 {
			act(ctx, t, chromedp.KeyEvent(kb.Tab))
			reached[value[string](ctx, t, focused)] = true
		}
		for _, want := range []string{"theme", "command-text", "f1", "text", "status", "operation", "fault", "t2"} {
			if !reached[want] {
				t.Errorf("the key tab does not reach %q", want)
			}
		}
	})

	t.Run("filter", func(t *testing.T) {
		const shown = `document.querySelectorAll("details.test:not([hidden])").length`
		const said = `document.getElementById("shown").textContent`
		expect(ctx, t, shown, 2)
		act(ctx, t, chromedp.KeyEvent("/"))
		expect(ctx, t, `document.activeElement.name`, "text")
		act(ctx, t, chromedp.KeyEvent("DELETE"))
		expect(ctx, t, said, "0 of 2 tests")
		act(ctx, t, chromedp.KeyEvent(kb.Escape))
		expect(ctx, t, said, "2 tests")
		act(ctx, t, choose("status", "500"))
		expect(ctx, t, said, "1 of 2 tests")
		act(ctx, t, choose("operation", "0"))
		expect(ctx, t, shown, 1)
		act(ctx, t, click("button[type=reset]"))
		expect(ctx, t, shown, 2)
		act(ctx, t, choose("fault", "f1"))
		expect(ctx, t, `document.querySelector("details.test:not([hidden])").id`, "t2")
		act(ctx, t, click("button[type=reset]"))
	})

	t.Run("a link opens its test", func(t *testing.T) {
		act(ctx, t, script(`document.getElementById("f1").open = true`), click("#f1 a[href='#t2']"))
		expect(ctx, t, `document.getElementById("t2").open`, true)
		expect(ctx, t, `document.activeElement.parentElement.id`, "t2")
	})

	t.Run("copy", func(t *testing.T) {
		act(
			ctx, t,
			granted("clipboard-read"), granted("clipboard-write"),
			click("#f1 button.copy"),
		)
		expect(ctx, t, `document.getElementById("copied").textContent`, "Copied to the clipboard")
		copied := value[string](ctx, t, `navigator.clipboard.readText()`, chromedp.EvalAwaitPromise)
		if want := value[string](ctx, t, `document.getElementById("curl--f1").textContent`); copied != want || want == "" {
			t.Errorf("copied %q, want %q", copied, want)
		}
	})

	t.Run("colours", func(t *testing.T) {
		const ground, pressed = `getComputedStyle(document.body).backgroundColor`, `document.getElementById("theme").ariaPressed`
		light := value[string](ctx, t, ground)
		expect(ctx, t, pressed, "false")
		act(ctx, t, click("#theme"))
		expect(ctx, t, pressed, "true")
		if dark := value[string](ctx, t, ground); dark == light {
			t.Errorf("the ground is %s in light and dark", dark)
		}
		act(ctx, t, click("#theme"))
		expect(ctx, t, ground, light)
	})
}

// granted returns an action that gives pages a permission.
func granted(permission string) action {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.CallBrowser(ctx, browser.SetPermission, browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: permission}, Setting: browser.PermissionSettingGranted,
		})
		return err
	})
}

// The page fits its window: only tables and pictures have scroll bars of their own.
func TestPagesFitTheWindow(t *testing.T) {
	for name, html := range map[string]string{
		"run":     runPage(t, shopRun(strings.Repeat("long", 40)+" "+hostile)),
		"compare": checkedPage(t, comparisonPage(strings.Repeat("long", 40))),
	} {
		ctx := opened(t, html, 360, "dark")
		act(ctx, t, script(`for (const d of document.querySelectorAll("details")) d.open = true`))
		for _, width := range []int64{360, 800, 1440} {
			act(ctx, t, chromedp.EmulateViewport(width, 900))
			expect(ctx, t, tooWide, "")
			if low := value[string](ctx, t, lowContrast); low != "" {
				t.Errorf("%s: the contrast is too low: %s", name, low)
			}
		}
	}
}

// tooWide returns the elements that make the page wider than its window, the innermost last.
const tooWide = `document.documentElement.scrollWidth <= innerWidth ? "" : [...document.querySelectorAll("main *")].
	filter(e => e.getBoundingClientRect().right > innerWidth && !e.closest(".scroll, .frame, nav")).
	map(e => e.tagName + "." + e.className).slice(0, 8).join(", ")`

// lowContrast returns the texts whose contrast with the page or a card is less than 4.5, the minimum of WCAG 2.1 (AA).
const lowContrast = `(() => {
	const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const luminance = colour => {
		canvas.fillStyle = colour;
		canvas.fillRect(0, 0, 1, 1);
		const part = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
		const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
		return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
	};
	const grounds = [document.body, document.querySelector("table")].map(e => luminance(getComputedStyle(e).backgroundColor));
	const low = new Set();
	for (const e of document.querySelectorAll("main :is(span, p, dt, dd, a, th, td, h1, h2, h3)")) {
		if (!e.textContent.trim()) continue;
		const l = luminance(getComputedStyle(e).color);
		if (grounds.some(g => (Math.max(l, g) + 0.05) / (Math.min(l, g) + 0.05) < 4.5)) low.add(e.tagName + "." + e.className);
	}
	return [...low].join(", ");
})()`

// A printed page shows all details and no controls, in light colours.
func TestRunPageInPrint(t *testing.T) {
	ctx := opened(t, runPage(t, shopRun(hostile)), 800, "dark")
	act(ctx, t, sent(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
	expect(ctx, t, `getComputedStyle(document.body).backgroundColor`, "rgb(255, 255, 255)")
	expect(ctx, t, `[...document.querySelectorAll("button, #filter, nav")].filter(e => e.checkVisibility()).length`, 0)
	const hidden = `[...document.querySelectorAll("details pre")].filter(e => !e.checkVisibility({ contentVisibilityAuto: true })).length`
	expect(ctx, t, hidden, 0)
	pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF())
	if err != nil || !strings.HasPrefix(string(pdf), "%PDF-") {
		t.Errorf("printed %.20q, error %v, want a PDF", pdf, err)
	}
}

// Without scripts the page has all content, and no control that would do nothing.
func TestRunPageWithoutScripts(t *testing.T) {
	ctx := opened(t, runPage(t, shopRun(hostile)), 800, "light", sent(
		emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true},
	))
	act(ctx, t, click("#t2 summary"))
	for _, want := range []string{"#t2 .calls", "#faults", "svg.plot"} {
		act(ctx, t, chromedp.WaitVisible(chromedp.CSS(want)))
	}
	for _, unwanted := range []string{"#filter", "#theme", "button.copy"} {
		act(ctx, t, chromedp.WaitNotVisible(chromedp.CSS(unwanted)))
	}
}
