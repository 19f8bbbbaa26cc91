// Package demo is a small web shop for outdoor gear, Sonde's built-in API to
// explore and to test: an OpenAPI document ([Spec]) and the service that it
// describes ([Shop]), with the standard library alone and its state in memory.
//
// The shop sells products, at prices with promotions; people review them, put
// them into carts, order the carts, pay and have the goods shipped:
//
//	POST /products ─► POST /carts ─► POST /orders ─► POST …/payments ─► PATCH /orders/{orderId}
//	    admin           everyone        a user           its owner        admin ships, owner cancels
//
// Customers, coupons and stores are apart from that and share no value with it.
//
// # Identities
//
// Ids count up from 1 for each kind of thing, carts have a UUID that follows
// from their number, and [Shop.Reset] starts over: the same requests after a
// reset get the same answers, except for times. Products, carts, items and
// orders tell their id in Location and in the body; customers and payments
// only in Location, with an empty body; reviews only in the body, as "id".
// Coupons are the one thing that a client names, with PUT.
//
// # Users
//
// [Users] has two users and an admin. Their tokens are public; they only keep
// the demo's users apart.
//
// # The world outside
//
// Three dependencies are off unless [Config] names them. Without a payment
// provider, paying by card answers 503; voucher and invoice need no provider.
// Without a stock feed, POST /stock/{sku}/sync answers 503. Without a metrics
// address nothing is counted.
//
// # Faults
//
// Twelve mistakes are built in, F01 to F12; [Faults] is the table. Each is a
// check that the code lacks, so that an ordinary Go program panics: an index
// out of range, a division by zero, a nil map. The panic becomes a 500. With
// Config.Reveal that answer says which fault it was, in the header X-Fault.
// With Config.Healthy all twelve checks are there, and the shop is correct.
package demo
