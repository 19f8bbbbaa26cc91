package doctor

import (
	"context"
	"fmt"
	"regexp"
)

// goRelease matches a release in the output of go version.
var goRelease = regexp.MustCompile(`\bgo\d\S*`)

// machineChecks returns the checks of Sonde, the system and the Go toolchain.
func (e Environment) machineChecks(p project) []examination {
	return []examination{
		{
			section: Machine, name: "version", purpose: "reports of bugs",
			examine: func(context.Context) finding {
				return works(fmt.Sprintf("%s, %s/%s", e.System.Version, e.System.OS, e.System.Arch))
			},
		},
		{
			section: Machine, name: "namespaces", purpose: "sonde net, search --net",
			examine: func(context.Context) finding { return e.System.namespaces() },
			onError: proxyAdvice,
		},
		{
			section: Machine, name: "go", purpose: "white-box search",
			needed:  p.builds(),
			examine: func(ctx context.Context) finding { return e.toolchain(ctx, p.builds()) },
			onError: goAdvice,
		},
	}
}

const (
	proxyAdvice = "a proxy takes its place, for HTTP alone (docs/network.md)"
	goAdvice    = "install Go from https://go.dev/dl, or put it into PATH"
	otherGo     = "put another release of Go into PATH: https://go.dev/dl"
)

// namespaces checks the network namespaces.
func (s System) namespaces() finding {
	err := s.CheckNamespaces()
	if err == nil {
		return works("supported")
	}
	advice := proxyAdvice
	if s.OS == "linux" {
		advice += "; to allow users namespaces: sysctl user.max_user_namespaces, or the security options of a container"
	}
	return limited(err.Error(), advice)
}

// toolchain checks the Go toolchain.
func (e Environment) toolchain(ctx context.Context, needed bool) finding {
	if !e.System.CanShareMemory {
		return lacking(
			needed, "services with probes cannot run on this system",
			"search black-box, or use Linux, macOS or FreeBSD of 64 bits",
		)
	}
	path, err := e.Programs.Find("go")
	if err != nil {
		return lacking(needed, "there is no go command", goAdvice)
	}
	text, err := e.Programs.Output(ctx, path, "version")
	if err != nil {
		return lacking(needed, err.Error(), goAdvice)
	}
	release := goRelease.FindString(text)
	if release == "" {
		return lacking(needed, fmt.Sprintf("go version prints %q", firstLine(text)), goAdvice)
	}
	if err := e.System.CheckGo(release); err != nil {
		return lacking(needed, fmt.Sprintf("%s: %v", release, err), otherGo)
	}
	return works(fmt.Sprintf("%s (%s or newer)", release, e.System.OldestGo))
}
