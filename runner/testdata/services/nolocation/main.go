// Command nolocation is a service for studies: a help desk whose answers have no Location. The id of
// a new thing is somewhere in the body, or the caller chooses it.
package main

import "sonde/runner/testdata/services/serve"

func main() {
	d := &desk{}
	d.reset()
	serve.Main([]serve.Operation{
		{Pattern: "GET /tickets", Do: d.listTickets},
		{Pattern: "POST /tickets", Do: d.createTicket},
		{Pattern: "GET /tickets/{ticketId}", Do: d.getTicket},
		{Pattern: "PATCH /tickets/{ticketId}", Do: d.patchTicket},
		{Pattern: "DELETE /tickets/{ticketId}", Do: d.deleteTicket},
		{Pattern: "PUT /tickets/{ticketId}/assignment", Do: d.assign},
		{Pattern: "POST /tickets/{ticketId}/notes", Do: d.createNote},
		{Pattern: "GET /tickets/{ticketId}/notes/{noteId}", Do: d.getNote},
		{Pattern: "POST /agents", Do: d.createAgent},
		{Pattern: "GET /agents/{agentUuid}", Do: d.getAgent},
		{Pattern: "DELETE /agents/{agentUuid}", Do: d.deleteAgent},
		{Pattern: "GET /queues", Do: d.listQueues},
		{Pattern: "PUT /queues/{queueKey}", Do: d.putQueue},
		{Pattern: "GET /queues/{queueKey}", Do: d.getQueue},
		{Pattern: "DELETE /queues/{queueKey}", Do: d.deleteQueue},
		{Pattern: "PUT /queues/{queueKey}/members/{agentUuid}", Do: d.joinQueue},
		{Pattern: "POST /uploads", Do: d.createUpload},
		{Pattern: "GET /uploads/{uploadId}", Do: d.getUpload},
	}, d.reset)
}
