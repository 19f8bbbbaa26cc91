package specdiff

import (
	"strings"
	"testing"

	"sonde/model"
)

// If an operation no longer emits an id, the operations that take the id lose their feeder. If the operation starts
// to emit the id, they get a feeder.
func TestValuesAndFeeders(t *testing.T) {
	without := strings.NewReplacer("required: [id], properties: {id: {type: integer}, ", "properties: {").Replace(pets)
	feeder := FeederChange{
		Operation: "GET /pets/{petId}", In: model.InPath, At: "petId", Value: "pet.id", Required: true,
		Feeders: []model.OpID{"POST /pets"},
	}

	d := compareTexts(t, pets, without)
	lost := feeder
	lost.Lost = true
	equal(t, d.Feeders, []FeederChange{lost})
	equal(t, d.Values, []ValueChange{{Old: "pet.id", EmittersRemoved: []model.OpID{"POST /pets", "GET /pets/{petId}"}}})

	d = compareTexts(t, without, pets)
	equal(t, d.Feeders, []FeederChange{feeder})
	equal(t, d.Values, []ValueChange{{New: "pet.id", EmittersAdded: []model.OpID{"POST /pets", "GET /pets/{petId}"}}})
}

// A value is recognized as the same although its operations, its parameters or its entity were renamed.
func TestRenamedValues(t *testing.T) {
	for name, newer := range map[string]string{
		"another parameter": strings.NewReplacer("{petId}", "{id}", "name: petId", "name: id").Replace(pets),
		"another path":      strings.ReplaceAll(pets, "  /pets", "  /v2/pets"),
		"another component": strings.NewReplacer("schemas/Pet", "schemas/Animal", "    Pet:", "    Animal:").Replace(pets),
	} {
		if d := compareTexts(t, pets, newer); len(d.Values)+len(d.Feeders) > 0 {
			t.Errorf("%s: got values %+v and feeders %+v, want none", name, d.Values, d.Feeders)
		}
	}
}

// An added operation is reported as a new taker of the values that it takes.
func TestNewTaker(t *testing.T) {
	newer := strings.Replace(pets, "components:", `  /pets/{petId}/visits:
    get:
      parameters: [{name: petId, in: path, required: true, schema: {type: integer}}]
      responses: {"204": {description: nothing}}
components:`, 1)
	d := compareTexts(t, pets, newer)
	equal(t, d.Values, []ValueChange{{Old: "pet.id", New: "pet.id", TakersAdded: []model.OpID{"GET /pets/{petId}/visits"}}})
	equal(t, d.Feeders, []FeederChange(nil))
	equal(t, d.Groups, []SetChange{{
		Status: SetGrew, Old: []string{"group 1"}, New: []string{"group 1"}, Added: []model.OpID{"GET /pets/{petId}/visits"},
	}})
}
