import MessageModel
import Testing

struct RemedyTests {
  @Test func `an app is told the way out without a command`() {
    let error = StoreError(.damaged, "cannot read", cause: "a page is torn", remedy: .repairStore)
    #expect(
      error.description == """
        cannot read
          cause: a page is torn
          try: check the store, and repair it
        """)
  }

  @Test func `whoever shows an error says the way out in their words`() {
    let error = StoreError(.notFound, "no sender 'ali'", remedy: .listSenders)
    let told = error.description(in: { $0 == .listSenders ? "the menu People" : $0.description })
    #expect(told == "no sender 'ali'\n  try: the menu People")
  }

  @Test func `a sentence is a way out as it stands`() {
    let seconds = 3
    let remedy: Remedy = "again in \(seconds) s"
    #expect(remedy == .words("again in 3 s") && remedy.description == "again in 3 s")
  }
}
