package demo

import (
	"net/http"
	"time"
	"unicode/utf8"
)

// reviewResource serves the reviews of products.
type reviewResource struct {
	table[review]
	products *productResource
	now      clock
}

// review is a user's opinion of a product. The name of its id in JSON is "id", not "reviewId".
type review struct {
	ID        int       `json:"id"`
	ProductID int       `json:"productId"`
	Author    string    `json:"author"`
	Rating    int       `json:"rating"`
	Title     string    `json:"title"`
	Text      *string   `json:"text,omitempty"`
	WrittenAt time.Time `json:"writtenAt"`
}

type newReview struct {
	Rating *int    `json:"rating"`
	Title  *string `json:"title"`
	Text   *string `json:"text"`
}

func (in newReview) check() error {
	var v rules
	v.whole("rating", in.Rating, 1, 5)
	v.text("title", in.Title, 3, 80)
	if in.Text != nil {
		v.text("text", in.Text, 1, 1000)
	}
	if v.err == nil && *in.Rating <= 2 {
		v.sense(in.Text != nil && utf8.RuneCountInString(*in.Text) >= 10, "text: tell in 10 characters or more why it is so bad")
	}
	return v.err
}

func (r *reviewResource) create(c *call) (answer, error) {
	p, err := r.products.named(c)
	if err != nil {
		return answer{}, err
	}
	var in newReview
	if err := c.decode(&in); err != nil {
		return answer{}, err
	}
	if err := in.check(); err != nil {
		return answer{}, err
	}
	for _, old := range r.of(p, 0) {
		if old.Author == c.user.Name {
			return answer{}, refuse(http.StatusConflict, "author: has reviewed this product before")
		}
	}
	v := &review{
		ID:        r.next(),
		ProductID: p.ProductID,
		Author:    c.user.Name,
		Rating:    *in.Rating,
		Title:     *in.Title,
		Text:      in.Text,
		WrittenAt: r.now(),
	}
	r.add(v)
	return answer{status: http.StatusCreated, body: v}, nil
}

// of returns the reviews of a product whose rating is at least the given one, in the order of
// creation.
func (r *reviewResource) of(p *product, rating int) []*review {
	list := []*review{}
	for _, v := range r.all() {
		if v.ProductID == p.ProductID && v.Rating >= rating {
			list = append(list, v)
		}
	}
	return list
}

func (r *reviewResource) list(c *call) (answer, error) {
	p, err := r.products.named(c)
	if err != nil {
		return answer{}, err
	}
	q := c.query()
	rating := q.number("minRating", 1, 5, 0)
	if q.err != nil {
		return answer{}, q.err
	}
	list := r.of(p, rating)
	return ok(struct {
		Average int       `json:"averagePercent"`
		Reviews []*review `json:"reviews"`
	}{averagePercent(c, list, rating), list}), nil
}

// averagePercent returns the mean rating of the reviews in list, in percent of five stars. list was
// limited to reviews with a rating of at least minRating. If minRating is 0, list has all reviews.
func averagePercent(c *call, list []*review, minRating int) int {
	if minRating == 0 && len(list) == 0 { // no reviews yet
		return 0
	}
	sum := 0
	for _, v := range list {
		sum += v.Rating
	}
	if c.guard("F05", len(list) == 0) {
		return 0
	}
	return 20 * sum / len(list)
}

func (r *reviewResource) get(c *call) (answer, error) {
	p, err := r.products.named(c)
	if err != nil {
		return answer{}, err
	}
	v := r.table.get(c.id("reviewId"))
	if v == nil || v.ProductID != p.ProductID {
		return answer{}, missing("reviewId")
	}
	return ok(v), nil
}
