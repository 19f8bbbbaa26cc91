"""A library: members borrow copies of books.

Everything but three planted bugs behaves as its document says. The bugs are
listed in README.md. Run it with: python service.py --port 8000
"""

import argparse
import itertools
import secrets

import uvicorn
from fastapi import Depends, FastAPI, HTTPException, Query, Response
from fastapi.responses import JSONResponse
from fastapi.security import OAuth2PasswordBearer, OAuth2PasswordRequestForm
from pydantic import BaseModel, ConfigDict, Field

PASSWORDS = {"librarian": "ex-libris", "clerk": "stamp-pad"}


class Problem(BaseModel):
    detail: str


class Token(BaseModel):
    access_token: str
    token_type: str


class NewAuthor(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=80)


class Author(NewAuthor):
    id: int


class NewBook(BaseModel):
    model_config = ConfigDict(extra="forbid")
    title: str = Field(min_length=1, max_length=120)
    author_id: int = Field(ge=1, le=2**31 - 1)
    copies: int = Field(default=1, ge=0, le=50)


class Book(NewBook):
    id: int


class NewMember(BaseModel):
    model_config = ConfigDict(extra="forbid")
    email: str = Field(pattern=r"^[a-z0-9.]{1,30}@[a-z0-9]{1,20}\.org$")


class Member(NewMember):
    id: int


class NewLoan(BaseModel):
    model_config = ConfigDict(extra="forbid")
    book_id: int = Field(ge=1, le=2**31 - 1)
    member_id: int = Field(ge=1, le=2**31 - 1)


class Loan(NewLoan):
    id: int


class Load(BaseModel):
    """How much of a book's copies is on loan."""

    on_loan: int
    percent: int


class Card(BaseModel):
    member_id: int
    loans: int
    favourite: str


class Shelves:
    """The state of the service."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.ids = itertools.count(1)
        self.authors, self.books, self.members, self.loans = {}, {}, {}, {}
        self.returned = set()  # ids of loans

    def on_loan(self, book_id):
        return sum(1 for l in self.loans.values() if l.book_id == book_id and l.id not in self.returned)


shelves = Shelves()
tokens = {}  # names of users by token; a reset keeps the tokens
bearer = OAuth2PasswordBearer(tokenUrl="token", auto_error=False)


def caller(token: str | None = Depends(bearer)) -> str:
    if token not in tokens:
        raise HTTPException(401, "log in first", {"WWW-Authenticate": "Bearer"})
    return tokens[token]


def found(things, number, what):
    if number not in things:
        raise HTTPException(404, f"there is no {what} {number}")
    return things[number]


refused = {401: {"model": Problem}}
missing = refused | {404: {"model": Problem}}
taken = missing | {409: {"model": Problem}}

app = FastAPI(title="Library", version="1.0.0")


@app.post("/token", responses={400: {"model": Problem}}, operation_id="logIn")
def log_in(form: OAuth2PasswordRequestForm = Depends()) -> Token:
    if PASSWORDS.get(form.username) != form.password:
        raise HTTPException(400, "wrong user name or password")
    token = secrets.token_urlsafe(24)
    tokens[token] = form.username
    return Token(access_token=token, token_type="bearer")


@app.post("/authors", status_code=201, responses=refused, operation_id="addAuthor")
def add_author(new: NewAuthor, user: str = Depends(caller)) -> Author:
    author = Author(id=next(shelves.ids), **new.model_dump())
    shelves.authors[author.id] = author
    return author


@app.get("/authors/{author_id}", responses=missing, operation_id="getAuthor")
def get_author(author_id: int, user: str = Depends(caller)) -> Author:
    return found(shelves.authors, author_id, "author")


@app.post("/books", status_code=201, responses=missing, operation_id="addBook")
def add_book(new: NewBook, user: str = Depends(caller)) -> Book:
    found(shelves.authors, new.author_id, "author")
    book = Book(id=next(shelves.ids), **new.model_dump())
    shelves.books[book.id] = book
    return book


@app.get("/books", responses=refused, operation_id="listBooks")
def list_books(
    user: str = Depends(caller), author_id: int | None = None, limit: int = Query(default=20, ge=1, le=100)
) -> list[Book]:
    of = [b for b in shelves.books.values() if author_id in (None, b.author_id)]
    return of[:limit]


@app.get("/books/{book_id}", responses=missing, operation_id="getBook")
def get_book(book_id: int, user: str = Depends(caller)) -> Book:
    return found(shelves.books, book_id, "book")


@app.get("/books/{book_id}/load", responses=missing, operation_id="getLoad")
def get_load(book_id: int, user: str = Depends(caller)) -> Load:
    book = found(shelves.books, book_id, "book")
    on_loan = shelves.on_loan(book_id)
    # Planted bug 1: a book without copies divides by zero. The exception ends the
    # connection after the answer.
    return Load(on_loan=on_loan, percent=100 * on_loan // book.copies)


@app.delete("/books/{book_id}", status_code=204, responses=taken, operation_id="removeBook")
def remove_book(book_id: int, user: str = Depends(caller)):
    found(shelves.books, book_id, "book")
    if shelves.on_loan(book_id):
        raise HTTPException(409, "a copy is on loan")
    del shelves.books[book_id]
    return Response(status_code=204)


@app.post("/members", status_code=201, responses=refused | {409: {"model": Problem}}, operation_id="addMember")
def add_member(new: NewMember, user: str = Depends(caller)) -> Member:
    if any(m.email == new.email for m in shelves.members.values()):
        raise HTTPException(409, "this address has a card already")
    member = Member(id=next(shelves.ids), **new.model_dump())
    shelves.members[member.id] = member
    return member


@app.get("/members/{member_id}", responses=missing, operation_id="getMember")
def get_member(member_id: int, user: str = Depends(caller)) -> Member:
    return found(shelves.members, member_id, "member")


@app.get("/members/{member_id}/card", response_model=Card, responses=missing, operation_id="getCard")
def get_card(member_id: int, user: str = Depends(caller)):
    found(shelves.members, member_id, "member")
    own = [l for l in shelves.loans.values() if l.member_id == member_id]
    titles = [shelves.books[l.book_id].title for l in own if l.book_id in shelves.books]
    # Planted bug 2: the favourite of a member who borrowed nothing is null, not a string.
    return JSONResponse({"member_id": member_id, "loans": len(own), "favourite": titles[0] if titles else None})


@app.post("/loans", status_code=201, responses=taken, operation_id="lend")
def lend(new: NewLoan, user: str = Depends(caller)) -> Loan:
    book = found(shelves.books, new.book_id, "book")
    found(shelves.members, new.member_id, "member")
    if shelves.on_loan(book.id) >= book.copies:
        raise HTTPException(409, "all copies are on loan")
    loan = Loan(id=next(shelves.ids), **new.model_dump())
    shelves.loans[loan.id] = loan
    return loan


@app.get("/loans/{loan_id}", responses=missing, operation_id="getLoan")
def get_loan(loan_id: int, user: str = Depends(caller)) -> Loan:
    return found(shelves.loans, loan_id, "loan")


@app.delete("/loans/{loan_id}", status_code=204, responses=missing, operation_id="giveBack")
def give_back(loan_id: int, user: str = Depends(caller)):
    # Planted bug 3: the loan can still be read as it was, and deleted again.
    shelves.returned.add(found(shelves.loans, loan_id, "loan").id)
    return Response(status_code=204)


@app.post("/__reset", status_code=204, include_in_schema=False)
def reset():
    shelves.clear()
    return Response(status_code=204)


if __name__ == "__main__":
    flags = argparse.ArgumentParser()
    flags.add_argument("--port", type=int, default=8000)
    uvicorn.run(app, host="127.0.0.1", port=flags.parse_args().port, log_level="warning")
