import MessageModel
import Testing

@Suite struct AddressTextTests {
  @Test(arguments: [
    ("cannot open 'postgrs://keeper:secret@host/db'", "cannot open 'postgrs://keeper@host/db'"),
    ("cannot open 'postgrs:/keeper:secret@host/db'", "cannot open 'postgrs:/keeper@host/db'"),
    ("cannot open 'postgrs:keeper:secret@host/db'", "cannot open 'postgrs:keeper@host/db'"),
    ("cannot open 'postgrs://keeper%3Asecret@host/db'", "cannot open 'postgrs://keeper@host/db'"),
    ("cannot open 'postgrs:///db?password=secret&a=b'", "cannot open 'postgrs:///db?a=b'"),
    ("cannot open 'postgrs:///db?pass%77ord=secret'", "cannot open 'postgrs:///db'"),
    ("cannot read 'https://ann:se cret'@a.org/x': gone", "cannot read 'https://ann@a.org/x': gone"),
    ("cannot read 'https://ann:se@cret/s@a.org/x'", "cannot read 'https://ann@a.org/x'"),
    ("from ssh://ann:secret@a to ftp://bob:secret@b:21/x", "from ssh://ann@a to ftp://bob@b:21/x"),
  ])
  func `the password of an address is said in no error, however its scheme is written`(
    text: String, shown: String
  ) {
    #expect(AddressText.withoutPasswords(in: text) == shown)
    let error = StoreError(.noSuchStore, text, cause: text, remedy: .words(text))
    #expect(!error.description.contains("secret") && !error.description.contains("cret/"))
  }

  @Test(arguments: [
    "cannot open 'a:b@c.db'", "no sender 'from:ann@example.org'", "at 12:30 ann@a.org wrote: is it so?",
    "see https://example.org:8080/a?b=c, file:/home/ann/x@y", "'is:starred from:ann@a.org': nothing", "a: b?",
  ])
  func `what has no password stays as it is`(text: String) {
    #expect(AddressText.withoutPasswords(in: text) == text)
  }

  @Test func `an escape has two hexadecimal digits`() {
    #expect("a%20b%c3%A9".replacingEscapes(after: "%") == "a bé")
    #expect("a%+5b%-0c%2 %2".replacingEscapes(after: "%") == "a%+5b%-0c%2 %2")
  }
}
