package openapi

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"sonde/model"
)

// spec converts the bundle to the model, by way of the types of kin-openapi.
func (b *bundle) spec() (*model.Spec, error) {
	info := b.head.get("info")
	spec := &model.Spec{
		Title:           info.str("title"),
		Version:         info.str("version"),
		Format:          b.format,
		Servers:         b.servers(),
		SecuritySchemes: b.schemes(),
	}
	b.convertParts()
	c := newConverter(b)
	for _, op := range b.ops {
		if to := c.convert(op); to != nil {
			spec.Operations = append(spec.Operations, to)
		}
	}
	for _, op := range b.webhooks {
		if to := c.convert(op); to != nil {
			to.Path = ""
			spec.Webhooks = append(spec.Webhooks, model.Webhook{Name: op.path, Request: to})
		}
	}
	if b.ctx.Err() != nil {
		return nil, context.Cause(b.ctx)
	}
	c.addExamples()
	spec.Problems = b.modelProblems()
	return spec, context.Cause(b.ctx)
}

// convertParts converts the parts that operations use to schemas of kin-openapi. A part that kin-openapi refuses
// becomes an empty schema.
func (b *bundle) convertParts() {
	for _, p := range b.all[:b.usedParts] {
		if b.ctx.Err() != nil {
			return
		}
		var err error
		p.kin, err = b.kinSchema(p.clean)
		if err != nil {
			b.add(p.at, p.node, "the schema is not understood (%v); left out", err)
			p.kin = &openapi3.Schema{}
		}
	}
}

// servers returns the URLs of the servers, without a slash at the end. If the document declares none and was fetched
// from a URL, servers returns the root of that URL.
func (b *bundle) servers() []string {
	urls := b.servers3()
	if b.isV2 {
		urls = b.servers2()
	}
	if len(urls) == 0 && isURL(b.base) {
		urls = []string{"/"}
	}
	var all []string
	for _, u := range urls {
		u = strings.TrimRight(b.absolute(u), "/")
		if u != "" && len(u) <= maxURLLength && !slices.Contains(all, u) {
			all = append(all, u)
		}
	}
	return all
}

// Limits of the servers that are read. maxURLLength is in bytes.
const (
	maxURLLength = 2000
	maxServers   = 100
)

var serverVariable = regexp.MustCompile(`\{[^{}]*\}`)

// servers3 returns the servers of OpenAPI 3, with the default values of their variables filled in.
func (b *bundle) servers3() []string {
	var urls []string
	for _, s := range b.head.get("servers").elements(maxServers) {
		u, variables := s.str("url"), s.get("variables")
		if len(u) > maxURLLength {
			continue
		}
		urls = append(urls, serverVariable.ReplaceAllStringFunc(u, func(name string) string {
			if v := variables.get(name[1 : len(name)-1]); v != nil && len(v.str("default")) <= maxURLLength {
				return v.str("default")
			}
			return name
		}))
	}
	return urls
}

func (b *bundle) servers2() []string {
	host := b.head.str("host")
	if bare := hostOnly(host); bare != host {
		at := (&place{doc: b.docs.spec}).at("host")
		b.add(at, b.root.get("host"), "a host is a name without scheme and path, not %q; %q is used", short(host), short(bare))
		host = bare
	}
	servers, err := b.kinServers(host)
	if err != nil {
		return nil
	}
	var urls []string
	for _, s := range servers {
		urls = append(urls, s.URL)
	}
	return urls
}

// hostOnly returns the host of a URL. For a text that is not a URL, it returns the part before the first slash.
func hostOnly(host string) string {
	if u, err := url.Parse(host); err == nil && u.Host != "" {
		return u.Host
	}
	host, _, _ = strings.Cut(host, "/")
	return host
}

// absolute returns the URL of a server. If server has no host, absolute adds the host of the URL from which the spec
// was fetched.
func (b *bundle) absolute(server string) string {
	base, err := url.Parse(b.base)
	if err != nil || !isURL(b.base) {
		return server
	}
	u, err := base.Parse(server)
	if err != nil {
		return server
	}
	return u.String()
}
