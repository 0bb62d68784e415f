// Forms are functions with one fault each, in every form that the safe fixes know.
package main

import (
	"context"
	"maps"
	"time"

	"github.com/locklint/locklint/internal/proof/harness"
)

// lease outlives every schedule: no key runs out while a test looks at it.
const lease = time.Hour

var errBusy = harness.ErrBusy

func work(ctx context.Context) error { return ctx.Err() }

func main() {
	all := map[string]harness.Form{}
	for _, forms := range []map[string]harness.Form{
		expireForms, queueForms, wrapperForms, badargsForms, releaseForms, raceForms, renewForms, valueForms, processForms, travelForms, olderForms, madeForms, scriptForms, getDelForms, v8Forms, v7Forms, v6Forms,
	} {
		maps.Copy(all, forms)
	}
	harness.Main(all)
}
