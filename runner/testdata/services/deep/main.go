// Command deep is a service for studies: boards with cards, in six levels. Which operations are
// possible depends on the levels above and below.
package main

import "sonde/runner/testdata/services/serve"

const (
	orgPath     = "/orgs/{orgId}"
	projectPath = orgPath + "/projects/{projectId}"
	boardPath   = projectPath + "/boards/{boardId}"
	columnPath  = boardPath + "/columns/{columnId}"
	cardPath    = columnPath + "/cards/{cardId}"
	commentPath = cardPath + "/comments/{commentId}"
)

func main() {
	w := &work{}
	w.reset()
	serve.Main([]serve.Operation{
		{Pattern: "GET /orgs", Do: w.listOrgs},
		{Pattern: "POST /orgs", Do: w.createOrg},
		{Pattern: "GET " + orgPath, Do: w.getOrg},
		{Pattern: "PATCH " + orgPath, Do: w.patchOrg},
		{Pattern: "DELETE " + orgPath, Do: w.deleteOrg},
		{Pattern: "GET " + orgPath + "/projects", Do: w.listProjects},
		{Pattern: "POST " + orgPath + "/projects", Do: w.createProject},
		{Pattern: "GET " + projectPath, Do: w.getProject},
		{Pattern: "PATCH " + projectPath, Do: w.patchProject},
		{Pattern: "DELETE " + projectPath, Do: w.deleteProject},
		{Pattern: "POST " + projectPath + "/boards", Do: w.createBoard},
		{Pattern: "GET " + boardPath, Do: w.getBoard},
		{Pattern: "PUT " + boardPath, Do: w.putBoard},
		{Pattern: "DELETE " + boardPath, Do: w.deleteBoard},
		{Pattern: "GET " + boardPath + "/columns", Do: w.listColumns},
		{Pattern: "POST " + boardPath + "/columns", Do: w.createColumn},
		{Pattern: "PATCH " + columnPath, Do: w.patchColumn},
		{Pattern: "DELETE " + columnPath, Do: w.deleteColumn},
		{Pattern: "GET " + columnPath + "/cards", Do: w.listCards},
		{Pattern: "POST " + columnPath + "/cards", Do: w.createCard},
		{Pattern: "GET " + cardPath, Do: w.getCard},
		{Pattern: "PATCH " + cardPath, Do: w.patchCard},
		{Pattern: "DELETE " + cardPath, Do: w.deleteCard},
		{Pattern: "GET " + cardPath + "/comments", Do: w.listComments},
		{Pattern: "POST " + cardPath + "/comments", Do: w.createComment},
		{Pattern: "GET " + commentPath, Do: w.getComment},
		{Pattern: "DELETE " + commentPath, Do: w.deleteComment},
	}, w.reset)
}
