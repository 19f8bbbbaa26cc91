package match_test

import (
	"testing"

	"sonde/model/match"
)

// identities returns the uses of all values. The key of a use has the operation, "▸" for an input or "◂" for an output,
// and the JSON pointer of the value. If a value has no pointer, the key has its name instead.
func identities(t *testing.T, paths, schemas string) map[string]match.ValueUse {
	t.Helper()
	spec := parse(t, paths, schemas)
	m, all := match.New(spec.Operations, match.DefaultMode), map[string]match.ValueUse{}
	for _, op := range spec.Operations {
		for _, u := range m.UsesOf(op) {
			arrow, at := " ▸ ", u.Pointer
			if u.Out {
				arrow = " ◂ "
			}
			if at == "" {
				at = u.Name
			}
			all[string(op.ID)+arrow+at] = u
		}
	}
	return all
}

const repositories = `
  /repos/{owner}/{repo}:
    get: {parameters: [{name: owner, in: path, required: true, schema: {type: string}},
      {name: repo, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/FullRepository'}}}}}}
  /users/{username}:
    get: {parameters: [{name: username, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/SimpleUser'}}}}}}
  /orgs/{org}:
    get: {parameters: [{name: org, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Organization'}}}}}}
`

const repositorySchemas = `
    FullRepository:
      {type: object, properties: {id: {type: integer}, name: {type: string}, forks: {type: integer}, type: {type: string},
        owner: {$ref: '#/components/schemas/SimpleUser'}}}
    SimpleUser: {type: object, properties: {id: {type: integer}, login: {type: string}, following: {type: integer}}}
    Organization: {type: object, properties: {id: {type: integer}, login: {type: string}, description: {type: string}}}
`

func TestIdentities(t *testing.T) {
	tests := []struct {
		name           string
		paths, schemas string
		want           map[string]string // identity by use
	}{
		{
			"keys of the parameter's type, under other names, and abbreviations", repositories, repositorySchemas,
			map[string]string{
				"GET /repos/{owner}/{repo} ▸ owner":        "user.login",
				"GET /repos/{owner}/{repo} ◂ /owner/login": "user.login",
				"GET /repos/{owner}/{repo} ▸ repo":         "repository.name",
				"GET /repos/{owner}/{repo} ◂ /name":        "repository.name",
				"GET /repos/{owner}/{repo} ◂ /id":          "repository.id",
				"GET /users/{username} ▸ username":         "user.login",
				"GET /orgs/{org} ▸ org":                    "organization.login",
				"GET /orgs/{org} ◂ /login":                 "organization.login",
			},
		},
		{
			"a format or a way to select is no resource", `
  /pets/json/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}}
  /pets/by-name/{name}:
    get: {parameters: [{name: name, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}}
`, `
    Pet: {type: object, properties: {id: {type: integer}, name: {type: string}}}
`,
			map[string]string{
				"GET /pets/json/{id} ▸ id":         "pet.id",
				"GET /pets/json/{id} ◂ /id":        "pet.id",
				"GET /pets/by-name/{name} ▸ name":  "pet.name",
				"GET /pets/by-name/{name} ◂ /name": "pet.name",
			},
		},
		{
			"metadata belongs to the object around it", `
  /pods:
    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pod'}}}},
      responses: {201: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pod'}}}}}}
  /pods/{name}:
    get: {parameters: [{name: name, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pod'}}}}}}
`, `
    Pod: {type: object, properties: {metadata: {$ref: '#/components/schemas/ObjectMeta'}, phase: {type: string}}}
    ObjectMeta: {type: object, properties: {name: {type: string}, uid: {type: string}}}
`,
			map[string]string{
				"GET /pods/{name} ▸ name":     "pod.name",
				"POST /pods ▸ /metadata/name": "pod.name",
				"POST /pods ◂ /metadata/name": "pod.name",
			},
		},
		{
			"a custom method is a part of its resource", `
  /v1/files/{file}:
    get: {parameters: [{name: file, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/File'}}}}}}
  /v1/files/{file}:copy:
    post: {parameters: [{name: file, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/File'}}}}}}
`, `
    File: {type: object, properties: {id: {type: string}, size: {type: integer}}}
`,
			map[string]string{
				"GET /v1/files/{file} ▸ file":       "file.id",
				"POST /v1/files/{file}:copy ▸ file": "file.id",
				"POST /v1/files/{file}:copy ◂ /id":  "file.id",
			},
		},
		{
			"descriptions that name an attribute of another entity", `
  /branches/{name}:
    get: {parameters: [{name: name, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Branch'}}}}}}
  /users/{login}:
    get: {parameters: [{name: login, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}}}
  /pulls:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {
      head: {type: string, description: The name of the branch with the changes.},
      reviewers: {type: array, items: {type: string}, description: 'An array of user logins to ask.'}}}}}},
      responses: {204: {description: ok}}}
`, `
    Branch: {type: object, properties: {name: {type: string}, number: {type: integer}}}
    User: {type: object, properties: {login: {type: string}, number: {type: integer}}}
`,
			map[string]string{
				"POST /pulls ▸ /head":      "branch.name",
				"POST /pulls ▸ /reviewers": "user.login",
			},
		},
		{
			"elements of one name with different owners", `
  /orgs/{org}/hooks/{hook_id}:
    get: {parameters: [{name: org, in: path, required: true, schema: {type: string}},
      {name: hook_id, in: path, required: true, schema: {type: integer}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/OrgHook'}}}}}}
  /repos/{repo}/hooks/{hook_id}:
    get: {parameters: [{name: repo, in: path, required: true, schema: {type: string}},
      {name: hook_id, in: path, required: true, schema: {type: integer}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Hook'}}}}}}
  /admin/hooks/{hook_id}:
    get: {parameters: [{name: hook_id, in: path, required: true, schema: {type: integer}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/AdminHook'}}}}}}
`, `
    OrgHook: {type: object, properties: {id: {type: integer}, events: {type: string}, secret_url: {type: string}}}
    Hook: {type: object, properties: {id: {type: integer}, events: {type: string}, secret_url: {type: string}}}
    AdminHook: {type: object, properties: {id: {type: integer}, events: {type: string}, secret_url: {type: string}}}
`,
			map[string]string{
				"GET /orgs/{org}/hooks/{hook_id} ▸ hook_id":   "org-hook.id",
				"GET /orgs/{org}/hooks/{hook_id} ◂ /id":       "org-hook.id",
				"GET /repos/{repo}/hooks/{hook_id} ▸ hook_id": "hook.id",
				"GET /repos/{repo}/hooks/{hook_id} ◂ /id":     "hook.id",
				"GET /admin/hooks/{hook_id} ▸ hook_id":        "hook.id",
				"GET /admin/hooks/{hook_id} ◂ /id":            "hook.id",
			},
		},
		{
			"pages of lists", `
  /partners/{partner}/customers:
    get: {parameters: [{name: partner, in: path, required: true, schema: {type: string}},
      {name: ownerCompanyId, in: query, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/ListCustomersResponse'}}}}}}
`, `
    ListCustomersResponse:
      {type: object, properties: {customers: {type: array, items: {$ref: '#/components/schemas/Company'}}, totalSize: {type: integer}}}
    Company: {type: object, properties: {companyId: {type: string}, companyName: {type: string}}}
`,
			map[string]string{
				"GET /partners/{partner}/customers ▸ ownerCompanyId":         "company.id",
				"GET /partners/{partner}/customers ◂ /customers/0/companyId": "company.id",
			},
		},
		{
			"the end of an entity's name", `
  /v1/{jobName}:
    get: {parameters: [{name: jobName, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/TransferJob'}}}}}}
`, `
    TransferJob: {type: object, properties: {name: {type: string}, size: {type: integer}}}
`,
			map[string]string{
				"GET /v1/{jobName} ▸ jobName": "transfer-job.name",
				"GET /v1/{jobName} ◂ /name":   "transfer-job.name",
			},
		},
		{
			"resources and relationships of JSON:API", `
  /v1/transactions:
    get: {responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {
      data: {type: array, items: {$ref: '#/components/schemas/TransactionResource'}}}}}}}}}
  /v1/transactions/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {200: {description: ok}}}
  /v1/transactions/{id}/relationships/tags:
    post: {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
      requestBody: {content: {application/json: {schema: {type: object, properties: {
        data: {type: array, items: {$ref: '#/components/schemas/TagInputResourceIdentifier'}}}}}}}, responses: {204: {description: ok}}}
  /v1/accounts/{accountId}:
    get: {parameters: [{name: accountId, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {
        data: {type: object, properties: {type: {type: string, enum: [accounts]}, id: {type: string},
          attributes: {type: object, properties: {number: {type: string}}}}}}}}}}}}
  /v1/tags:
    get: {responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {
      data: {type: array, items: {$ref: '#/components/schemas/TagResource'}}}}}}}}}
`, `
    TransactionResource: {type: object, properties: {type: {type: string, enum: [transactions]}, id: {type: string},
      relationships: {type: object, properties: {
        account: {$ref: '#/components/schemas/ToOne'},
        transferAccount: {$ref: '#/components/schemas/ToOne'},
        parent: {$ref: '#/components/schemas/ToOne'}}}}}
    ToOne: {type: object, properties: {data: {$ref: '#/components/schemas/ResourceIdentifier'}}}
    ResourceIdentifier: {type: object, properties: {type: {type: string}, id: {type: string}}}
    TagResource: {type: object, properties: {type: {type: string}, id: {type: string}}}
    TagInputResourceIdentifier: {type: object, properties: {type: {type: string}, id: {type: string}}}
`,
			map[string]string{
				"GET /v1/transactions ◂ /data/0/id":                            "transaction.id",
				"GET /v1/transactions/{id} ▸ id":                               "transaction.id",
				"GET /v1/transactions ◂ /data/0/relationships/account/data/id": "account.id",
				"GET /v1/accounts/{accountId} ▸ accountId":                     "account.id",
				"GET /v1/accounts/{accountId} ◂ /data/id":                      "account.id",
				"GET /v1/tags ◂ /data/0/id":                                    "tag.id",
				"POST /v1/transactions/{id}/relationships/tags ▸ /data/0/id":   "tag.id",
			},
		},
		{
			"actions in paths, pages with another name, and creators", `
  /users/info:
    get: {parameters: [{name: user, in: query, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}
  /users/list:
    get: {responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {
      members: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}}}
  /users:
    get: {responses: {200: {description: ok}}}
  /boards/create:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {title: {type: string}}}}}},
      responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {
        id: {type: string}, creator: {type: string}}}}}}}}
  /boards/archive:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {board: {type: string}}}}}},
      responses: {200: {description: ok}}}
  /boards/update:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}},
      responses: {200: {description: ok}}}
`, "    Unused: {type: string}\n",
			map[string]string{
				"GET /users/info ▸ user":          "user.id",
				"GET /users/info ◂ /id":           "user.id",
				"GET /users/list ◂ /members/0/id": "user.id",
				"POST /boards/create ◂ /id":       "board.id",
				"POST /boards/create ◂ /creator":  "user.id",
				"POST /boards/update ▸ /id":       "board.id",
				"POST /boards/archive ▸ /board":   "board.id",
			},
		},
		{
			"references by the description and by the name of the type, and the parent of an element", `
  /classes/{class}:
    get: {parameters: [{name: class, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Class'}}}}}}
  /pupils/{pupilId}:
    get: {parameters: [{name: pupilId, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pupil'}}}}}}
  /essays/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Essay'}}}}}}
  /queues/task/{taskqueue}:
    get: {parameters: [{name: taskqueue, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/TaskQueue'}}}}}}
`, `
    Class: {type: object, properties: {id: {type: string}}}
    Pupil: {type: object, properties: {id: {type: string}, bio: {type: string}}}
    PupilId: {type: string}
    TaskQueue: {type: object, properties: {id: {type: string}, size: {type: integer}}}
    Essay: {type: object, properties: {id: {type: string},
      room: {type: string, description: The unique identifier of the class where the essay is written. It may change.},
      readers: {type: array, items: {type: string}, description: List of pupil identifiers},
      writer: {$ref: '#/components/schemas/PupilId'},
      parentEssay: {type: string},
      queueName: {type: string}}}
`,
			map[string]string{
				"GET /classes/{class} ◂ /id":      "class.id",
				"GET /essays/{id} ◂ /room":        "class.id",
				"GET /essays/{id} ◂ /readers":     "pupil.id",
				"GET /essays/{id} ◂ /writer":      "pupil.id",
				"GET /essays/{id} ◂ /parentEssay": "essay.id",
				"GET /essays/{id} ◂ /queueName":   "task-queue.id",
			},
		},
		{
			"expandable objects, ids in names of entities, and an entity that has the name of a path's end", `
  /repos/{repo}/scans/{scan}/repos:
    get: {parameters: [{name: repo, in: path, required: true, schema: {type: string}},
        {name: scan, in: path, required: true, schema: {type: string}}],
     
      responses: {200: {description: ok, content: {application/json:
        {schema: {type: array, items: {$ref: '#/components/schemas/ScanRepoTask'}}}}}}}
  /repos/{repo}/scans/{scan}:
    get: {parameters: [{name: repo, in: path, required: true, schema: {type: string}},
        {name: scan, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Scan'}}}}}}
  /taxes/{tax}:
    get: {parameters: [{name: tax, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Tax'}}}}}}
  /tax_codes/{code}:
    get: {parameters: [{name: code, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/TaxCode'}}}}}}
`, `
    Scan: {type: object, properties: {id: {type: string}, default_tax_code: {type: string},
      tax: {anyOf: [{type: string, maxLength: 50}, {$ref: '#/components/schemas/Tax'}]}}}
    ScanRepoTask: {type: object, properties: {id: {type: string}, state: {type: string}}}
    Tax: {type: object, properties: {id: {type: string}, rate: {type: number}}}
    TaxCode: {type: object, properties: {id: {type: string}, text: {type: string}}}
`,
			map[string]string{
				"GET /repos/{repo}/scans/{scan} ▸ repo":              "repo.repo",
				"GET /repos/{repo}/scans/{scan} ◂ /default_tax_code": "tax-code.id",
				"GET /repos/{repo}/scans/{scan} ◂ /tax/id":           "tax.id",
			},
		},
		{
			"a prefix of all components, and resource names", `
  /users/{user}:
    get: {parameters: [{name: user, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/objs_user'}}}}}}
  /teams/{team}:
    get: {parameters: [{name: team, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/objs_team'}}}}}}
  /runs/list:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {
      arn: {type: string, description: The Amazon Resource Name (ARN) of the team for which to list runs.}}}}}},
      responses: {200: {description: ok}}}
`, `
    objs_user: {type: object, properties: {id: {type: string}, place: {$ref: '#/components/schemas/objs_place'}}}
    objs_team: {type: object, properties: {arn: {type: string}, mascot: {$ref: '#/components/schemas/objs_mascot'}}}
    objs_place: {type: object, properties: {street: {type: string}, flag: {$ref: '#/components/schemas/objs_flag'}}}
    objs_mascot: {type: object, properties: {kind: {type: string}}}
    objs_flag: {type: object, properties: {colour: {type: string}}}
`,
			map[string]string{
				"GET /users/{user} ◂ /id":  "user.id",
				"GET /teams/{team} ◂ /arn": "team.arn",
				"POST /runs/list ▸ /arn":   "team.arn",
			},
		},
		{
			"a component of other messages is not a resource with the last word of its name", `
  /analyses/{id}/results/{result}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}},
      {name: result, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/RepoTask'}}}}}}
  /tasks/{task_id}:
    get: {parameters: [{name: task_id, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}
`, `
    RepoTask: {type: object, properties: {id: {type: string}, state: {type: string}}}
`,
			map[string]string{
				"GET /tasks/{task_id} ▸ task_id": "task.id",
				"GET /tasks/{task_id} ◂ /id":     "task.id",
			},
		},
		{
			"a list that is named like its collection has the elements of this collection", `
  /labels/{name}:
    get: {parameters: [{name: name, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Label'}}}}}}
  /runners/{id}/labels:
    put: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
      requestBody: {content: {application/json: {schema: {type: object,
        properties: {labels: {type: array, items: {type: string}}}}}}},
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/RunnerLabel'}}}}}}
  /runners/{id}/labels/{name}:
    delete: {parameters: [{name: id, in: path, required: true, schema: {type: integer}},
      {name: name, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/RunnerLabel'}}}}}}
  /issues:
    post: {requestBody: {content: {application/json: {schema: {type: object,
      properties: {labels: {type: array, items: {type: string}}}}}}}, responses: {204: {description: ok}}}
`, `
    Label: {type: object, properties: {name: {type: string}, color: {type: string}}}
    RunnerLabel: {type: object, properties: {id: {type: integer}, name: {type: string}, type: {type: string}}}
`,
			map[string]string{
				"PUT /runners/{id}/labels ▸ /labels":        "runner-label.name",
				"DELETE /runners/{id}/labels/{name} ▸ name": "runner-label.name",
				"POST /issues ▸ /labels":                    "label.name",
			},
		},
		{
			"a cursor is passed to the operation that emitted it; startingAfter is an id", `
  /users:
    get: {parameters: [{name: pageToken, in: query, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {
        users: {type: array, items: {$ref: '#/components/schemas/User'}}, nextPageToken: {type: string}}}}}}}}
  /teams/{team}/users:
    get: {parameters: [{name: team, in: path, required: true, schema: {type: string}},
      {name: pageToken, in: query, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {
        users: {type: array, items: {$ref: '#/components/schemas/User'}}, nextPageToken: {type: string},
        prevPageToken: {type: string}}}}}}}}
  /users/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}},
      {name: If-None-Match, in: header, schema: {type: string}}],
      responses: {200: {description: ok, headers: {ETag: {schema: {type: string}}},
        content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}}}
    put: {parameters: [{name: id, in: path, required: true, schema: {type: string}},
      {name: If-Match, in: header, schema: {type: string}}],
      responses: {204: {description: ok}}}
  /logs:
    get: {parameters: [{name: page, in: query, schema: {type: integer}}, {name: size, in: query, schema: {type: integer}}],
      responses: {200: {description: ok, headers: {Link: {schema: {type: string}}}}}}
  /charges:
    get: {parameters: [{name: starting_after, in: query, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {
        data: {type: array, items: {$ref: '#/components/schemas/Charge'}}, has_more: {type: boolean}}}}}}}}
  /charges/{charge}:
    get: {parameters: [{name: charge, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Charge'}}}}}}`, `
    User: {type: object, properties: {id: {type: string}, name: {type: string}}}
    Charge: {type: object, properties: {id: {type: string}, amount: {type: integer}}}`,
			map[string]string{
				"GET /users ▸ pageToken":                   "user.pageToken",
				"GET /users ◂ /nextPageToken":              "user.pageToken",
				"GET /teams/{team}/users ▸ pageToken":      "user.pageToken of GET /teams/{team}/users",
				"GET /teams/{team}/users ◂ /nextPageToken": "user.pageToken of GET /teams/{team}/users",
				"GET /teams/{team}/users ◂ /prevPageToken": "user.prevPageToken",
				"GET /users/{id} ◂ ETag":                   "user.ETag",
				"GET /users/{id} ▸ If-None-Match":          "user.ETag",
				"PUT /users/{id} ▸ If-Match":               "user.ETag",
				"GET /logs ▸ page":                         "log.nextPage",
				"GET /logs ◂ Link":                         "log.nextPage",
				"GET /charges ▸ starting_after":            "charge.id",
				"GET /charges ◂ /data/0/id":                "charge.id",
			},
		},
		{
			"a component whose name ends with that of a resource is no view of a similar component", `
  /pulls/{number}:
    get: {parameters: [{name: number, in: path, required: true, schema: {type: integer}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/PullRequest'}}}}}}
  /pulls/{number}/reviews/{review_id}:
    get: {parameters: [{name: number, in: path, required: true, schema: {type: integer}},
      {name: review_id, in: path, required: true, schema: {type: integer}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/PullRequestReview'}}}}}}`, `
    PullRequest: {type: object, properties: {id: {type: integer}, number: {type: integer}, state: {type: string},
      merged: {type: boolean}, text: {type: string}}}
    PullRequestReview: {type: object, properties: {id: {type: integer}, state: {type: string}, text: {type: string}}}`,
			map[string]string{
				"GET /pulls/{number}/reviews/{review_id} ▸ review_id": "pull-request-review.id",
				"GET /pulls/{number}/reviews/{review_id} ◂ /id":       "pull-request-review.id",
			},
		},
		{
			"compound ids have the form of another entity's key", `
  /v1/users:
    get: {responses: {200: {description: ok, content: {application/json: {schema: {type: array,
      items: {$ref: '#/components/schemas/User'}}}}}}}
  /v1/{parent}/keys:
    get: {parameters: [{name: parent, in: path, required: true, description: 'The owner, in the form "users/{user}".',
      schema: {type: string}}], responses: {200: {description: ok}}}
  /customers/{customerId}:
    get: {parameters: [{name: customerId, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Customer'}}}}}}
  /orders:
    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}},
      responses: {201: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}}`, `
    User: {type: object, properties: {name: {type: string, description: 'Resource name, such as users/{user}'}, age: {type: integer}}}
    Customer: {type: object, properties: {id: {type: string, example: 'customer:17'}, name: {type: string}}}
    Order: {type: object, properties: {total: {type: integer}, payer: {type: string, example: 'customer:9'}}}`,
			map[string]string{
				"GET /v1/users ◂ /0/name":           "user.name",
				"GET /v1/{parent}/keys ▸ parent":    "user.name",
				"GET /customers/{customerId} ◂ /id": "customer.id",
				"POST /orders ▸ /payer":             "customer.id",
				"POST /orders ◂ /payer":             "customer.id",
			},
		},
		{
			"URLs and keys of maps have ids; a user name beside a host is that of another service", `
  /planets/{planetId}:
    get: {parameters: [{name: planetId, in: path, required: true, schema: {type: integer}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Planet'}}}}}}
  /people/{personId}:
    get: {parameters: [{name: personId, in: path, required: true, schema: {type: integer}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Person'}}}}}}
  /repos/{repoId}/hooks:
    get: {parameters: [{name: repoId, in: path, required: true, schema: {type: integer}}],
      responses: {200: {description: ok, content: {application/json: {schema: {type: object,
        additionalProperties: {$ref: '#/components/schemas/Hook'}}}}}}}
  /repos/{repoId}/hooks/{hookId}:
    delete: {parameters: [{name: repoId, in: path, required: true, schema: {type: integer}},
      {name: hookId, in: path, required: true, schema: {type: string}}], responses: {204: {description: ok}}}
  /users/{username}:
    get: {parameters: [{name: username, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}}}
  /volumes:
    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Volume'}}}},
      responses: {201: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Volume'}}}}}}`, `
    Planet: {type: object, properties: {name: {type: string}, url: {type: string, example: 'https://example.com/api/planets/1/'}}}
    Person: {type: object, properties: {name: {type: string},
      homeworld: {type: string, example: 'https://example.com/api/planets/1/'}}}
    Hook: {type: object, properties: {event: {type: string}}}
    User: {type: object, properties: {username: {type: string}, email: {type: string}}}
    Volume: {type: object, properties: {host: {type: string}, username: {type: string}}}`,
			map[string]string{
				"GET /planets/{planetId} ▸ planetId":             "planet.id",
				"GET /planets/{planetId} ◂ /url":                 "planet.id",
				"GET /people/{personId} ◂ /homeworld":            "planet.id",
				"GET /repos/{repoId}/hooks ◂ /*":                 "hook.id",
				"DELETE /repos/{repoId}/hooks/{hookId} ▸ hookId": "hook.id",
				"GET /users/{username} ◂ /username":              "user.username",
				"POST /volumes ◂ /username":                      "volume.username",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := identities(t, tt.paths, tt.schemas)
			for use, want := range tt.want {
				if u, ok := got[use]; u.ID != want || !u.Kind.Links() {
					t.Errorf("%s: got %q (%s, %v), want %q", use, u.ID, u.Kind, ok, want)
				}
			}
		})
	}
}

// TestNoReferences checks that a value with the name of an entity is not a reference if the value is not the entity's
// key.
func TestNoReferences(t *testing.T) {
	got := identities(t, repositories+`
  /reports/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Report'}}}}}}
  /types/{type_id}:
    get: {parameters: [{name: type_id, in: path, required: true, schema: {type: integer}}],
      responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}}
  /forks/{fork}:
    get: {parameters: [{name: fork, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}
  /tasks/{task_id}:
    get: {parameters: [{name: task_id, in: path, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}
`, repositorySchemas+`
    Anything: {description: an object}
    RepositoryPem: {type: string}
    Report: {type: object, properties: {id: {type: string},
      repository: {$ref: '#/components/schemas/RepositoryPem'},
      organization: {$ref: '#/components/schemas/Anything'},
      elsewhere: {type: string, description: The external ID of the organization},
      size: {type: integer, description: The number of users},
      of: {type: string, description: The login of the organization or user},
      task: {type: string, example: deploy},
      tasks: {type: array, default: [push, pull_request], items: {type: string}},
      sort_organization: {type: string}}}
`)
	for use, why := range map[string]string{
		"GET /repos/{owner}/{repo} ◂ /forks":     "a number of forks",
		"GET /repos/{owner}/{repo} ◂ /type":      "a generic noun",
		"GET /reports/{id} ◂ /repository":        "a file",
		"GET /reports/{id} ◂ /organization":      "an object",
		"GET /reports/{id} ◂ /elsewhere":         "another id",
		"GET /reports/{id} ◂ /size":              "a count",
		"GET /reports/{id} ◂ /of":                "one of several things",
		"GET /reports/{id} ◂ /task":              "a word",
		"GET /reports/{id} ◂ /tasks":             "a list of words",
		"GET /reports/{id} ◂ /sort_organization": "a way to sort",
	} {
		if u := got[use]; u.Kind.Links() {
			t.Errorf("%s is %s: got %q, %s (%s)", use, why, u.ID, u.Kind, u.Why)
		}
	}
}

func TestKindsHaveEvidence(t *testing.T) {
	got := identities(t, `
  /accounts:
    get: {parameters: [{name: email, in: query, required: true, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Account'}}}}}}
  /accounts/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}},
      {name: pageToken, in: query, schema: {type: string}}],
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Account'}}}}}}
`, `
    Account:
      {type: object, properties: {id: {type: string}, email: {type: string},
        tag: {type: string, description: Unique identifier of the account},
        device: {$ref: '#/components/schemas/DeviceIdentifier'}, rank: {type: string}}}
    DeviceIdentifier: {type: object, properties: {meid: {type: string}, generation: {type: integer}}}
`)
	for use, want := range map[string][2]string{
		"GET /accounts/{id} ▸ id":            {"identifier", "a path has it"},
		"GET /accounts/{id} ▸ pageToken":     {"cursor", "its name is that of a cursor"},
		"GET /accounts/{id} ◂ /email":        {"identifier", "GET /accounts selects by it alone"},
		"GET /accounts ▸ email":              {"identifier", "GET /accounts selects by it alone"},
		"GET /accounts ◂ /tag":               {"identifier", "its description says so"},
		"GET /accounts ◂ /device/meid":       {"identifier", "it is a part of DeviceIdentifier"},
		"GET /accounts ◂ /device/generation": {"attribute", ""},
		"GET /accounts ◂ /rank":              {"attribute", ""},
	} {
		if u := got[use]; string(u.Kind) != want[0] || u.KindWhy() != want[1] {
			t.Errorf("%s: got %q, %q; want %q", use, u.Kind, u.KindWhy(), want)
		}
	}
}
