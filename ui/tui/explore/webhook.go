package explore

import (
	"cmp"
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// webhookFolder is the name of the last folder of the tree, which has the webhooks.
const webhookFolder = "Webhooks (sent by the service)"

// webhooksOf returns the requests of a spec's webhooks.
func webhooksOf(spec *model.Spec) []*model.Operation {
	var all []*model.Operation
	for _, w := range spec.Webhooks {
		all = append(all, w.Request)
	}
	return all
}

// webhookSet returns the requests of a spec's webhooks as a set.
func webhookSet(spec *model.Spec) map[*model.Operation]bool {
	set := map[*model.Operation]bool{}
	for _, op := range webhooksOf(spec) {
		set[op] = true
	}
	return set
}

// webhookName returns the name of a webhook, which its ID has after the method.
func webhookName(op *model.Operation) string { return strings.TrimPrefix(string(op.ID), op.Method+" ") }

// webhook returns the webhook under the cursor, nil for other rows.
func (p *treePane) webhook() *model.Operation {
	if n := p.node(); n != nil && n.webhook {
		return n.op
	}
	return nil
}

// webhooksPage writes the page of the folder with the webhooks.
func webhooksPage(f folder, b *pageWriter) {
	b.write(draw.TextLine(" "+words.Plural(len(f.ops), "webhook")+": what the service sends. Sonde does not call them.", theme.Dim)...)
	b.write()
	for _, op := range f.ops {
		b.write(draw.Line{}.At(3, draw.Span{Text: draw.Clean(string(op.ID)), Style: theme.Plain}).
			At(b.width/2, draw.Span{Text: draw.Clean(op.Summary), Style: theme.Dim}).Cut(b.width)...)
	}
}

// webhookPage writes the page of a webhook.
func webhookPage(op *model.Operation, b *pageWriter) {
	b.prose(cmp.Or(op.Summary, op.Name, "no summary"), 1, 3, theme.Plain, "summary")
	if bare(op.Description) != bare(op.Summary) {
		b.prose(op.Description, 1, 3, theme.Dim, "about")
	}
	b.write()
	about := "  the service sends this request; Sonde does not call it"
	if op.Line > 0 {
		about += fmt.Sprintf(" (line %d)", op.Line)
	}
	b.write(append(draw.TextLine(" Webhook", theme.Strong), draw.Span{Text: about, Style: theme.Dim})...)
	b.params(op.Params)
	b.body(op.Body)
	b.answers(op.Responses)
}
