package demo

import (
	"net/http"
	"regexp"
	"time"
)

// maxPreferences is the maximum number of preferences of a customer.
const maxPreferences = 8

var (
	emailForm = regexp.MustCompile(`^[^@\s]+@[^@\s]+$`)
	phoneForm = regexp.MustCompile(`^\+?[0-9]{5,15}$`)
)

// customerResource serves the members of the shop's club.
type customerResource struct {
	table[customer]
	now clock
}

// customer is a member of the shop's club. A customer is not a [User]: the two have nothing in
// common.
type customer struct {
	CustomerID  int               `json:"customerId"`
	FullName    string            `json:"fullName"`
	BirthDate   *string           `json:"birthDate,omitempty"`
	Contact     *contact          `json:"contact,omitempty"`
	Newsletter  bool              `json:"newsletter"`
	Preferences map[string]string `json:"preferences,omitempty"`
	MemberSince time.Time         `json:"memberSince"`
}

type contact struct {
	Email *string `json:"email,omitempty"`
	Phone *string `json:"phone,omitempty"`
}

func (k *contact) check(v *rules) {
	if k.Email != nil {
		v.text("contact.email", k.Email, 3, 100)
		v.form(emailForm.MatchString(*k.Email), "contact.email: must be an address such as mia@example.org")
	}
	if k.Phone != nil {
		v.form(phoneForm.MatchString(*k.Phone), "contact.phone: must be 5 to 15 digits, after a plus or not")
	}
}

type newCustomer struct {
	FullName    *string           `json:"fullName"`
	BirthDate   *string           `json:"birthDate"`
	Contact     *contact          `json:"contact"`
	Newsletter  bool              `json:"newsletter"`
	Preferences map[string]string `json:"preferences"`
}

func (in newCustomer) check() error {
	var v rules
	v.text("fullName", in.FullName, 2, 80)
	if in.BirthDate != nil {
		born := v.date("birthDate", in.BirthDate)
		v.sense(born.Year() >= 1900 && born.Year() <= 2020, "birthDate: must be in the years from 1900 to 2020")
	}
	if in.Contact != nil {
		in.Contact.check(&v)
	}
	checkPreferences(&v, in.Preferences)
	return v.err
}

func checkPreferences(v *rules, p map[string]string) {
	v.form(len(p) <= maxPreferences, "preferences: must be at most %d", maxPreferences)
	for _, value := range p {
		v.text("preferences", &value, 0, 40)
	}
}

var errNoEmail = refuse(http.StatusUnprocessableEntity, "contact.email: a newsletter needs an address")

// create adds a customer. The answer has the id of the customer only in the header Location.
func (r *customerResource) create(c *call) (answer, error) {
	var in newCustomer
	if err := c.decode(&in); err != nil {
		return answer{}, err
	}
	if err := in.check(); err != nil {
		return answer{}, err
	}
	if in.Newsletter {
		if c.guard("F03", in.Contact == nil) || in.Contact.Email == nil {
			return answer{}, errNoEmail
		}
	}
	k := &customer{
		CustomerID:  r.next(),
		FullName:    *in.FullName,
		BirthDate:   in.BirthDate,
		Contact:     in.Contact,
		Newsletter:  in.Newsletter,
		Preferences: in.Preferences,
		MemberSince: r.now(),
	}
	r.add(k)
	return created(nil, "/customers/%d", k.CustomerID), nil
}

// named returns the customer with the id in the path.
func (r *customerResource) named(c *call) (*customer, error) {
	if k := r.table.get(c.id("customerId")); k != nil {
		return k, nil
	}
	return nil, missing("customerId")
}

func (r *customerResource) get(c *call) (answer, error) {
	k, err := r.named(c)
	return ok(k), err
}

type customerPatch struct {
	FullName    *string           `json:"fullName"`
	Newsletter  *bool             `json:"newsletter"`
	Preferences map[string]string `json:"preferences"`
}

func (in customerPatch) check(k *customer) error {
	var v rules
	if in.FullName != nil {
		v.text("fullName", in.FullName, 2, 80)
	}
	checkPreferences(&v, in.Preferences)
	if v.err == nil && in.Newsletter != nil && *in.Newsletter && (k.Contact == nil || k.Contact.Email == nil) {
		return errNoEmail
	}
	return v.err
}

// patch changes the given properties and adds preferences.
func (r *customerResource) patch(c *call) (answer, error) {
	k, err := r.named(c)
	if err != nil {
		return answer{}, err
	}
	var in customerPatch
	if err := c.decode(&in); err != nil {
		return answer{}, err
	}
	if err := in.check(k); err != nil {
		return answer{}, err
	}
	if err := k.prefer(c, in.Preferences); err != nil {
		return answer{}, err
	}
	if in.FullName != nil {
		k.FullName = *in.FullName
	}
	if in.Newsletter != nil {
		k.Newsletter = *in.Newsletter
	}
	return ok(k), nil
}

// prefer adds preferences to those of the customer.
func (k *customer) prefer(c *call, more map[string]string) error {
	n := len(k.Preferences)
	for name := range more {
		if _, old := k.Preferences[name]; !old {
			n++
		}
	}
	if n > maxPreferences {
		return refuse(http.StatusUnprocessableEntity, "preferences: would be more than %d", maxPreferences)
	}
	if c.guard("F06", k.Preferences == nil && len(more) > 0) {
		k.Preferences = map[string]string{}
	}
	for name, value := range more {
		k.Preferences[name] = value
	}
	return nil
}
