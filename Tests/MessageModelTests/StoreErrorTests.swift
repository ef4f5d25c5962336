import MessageModel
import Testing

@Suite struct StoreErrorTests {
  @Test func `an error says what could not be done, why, and the way out, a line each`() {
    let error = StoreError(
      .notAStore, "cannot open 'notes.txt'", cause: "file is not a database",
      remedy: "scrollback import notes.txt")
    #expect(
      error.description == """
        cannot open 'notes.txt'
          cause: file is not a database
          try: scrollback import notes.txt
        """)
  }

  @Test func `an error leaves out what is not known`() {
    #expect(StoreError(.busy, "cannot write").description == "cannot write")
    #expect(StoreError(.busy, "cannot write", remedy: "wait").description == "cannot write\n  try: wait")
    #expect(StoreError(.busy, "cannot write", cause: "why").description == "cannot write\n  cause: why")
  }
}
