import ChatSession
import Foundation
import Testing

struct CompletionTests {
  private func candidates(_ line: String, files: [String] = []) -> [String] {
    let end = line.utf8.count
    let word = line.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
    var start = end - word.utf8.count
    // As readline has it: a word in quotes begins behind the quote.
    if let quote = line.lastIndex(of: "\""), !line[..<quote].contains("\"") {
      start = line.utf8.distance(from: line.startIndex, to: quote) + 1
    }
    return Completion.candidates(in: line, start: start, end: end) { names in
      switch names {
      case .conversations: ["general", "old room", "old rules"]
      case .senders: ["alice", "albert", "two words"]
      case .marks: ["'bottle", "'lamp oil"]
      case .people: ["Ann", "Ann Smith"]
      case .savedFilters: ["tea", "tea time"]
      case .sessions(let sort): sort == .tool ? ["Bash", "Edit", "a b"] : []
      case .files: files
      }
    }
  }

  @Test func `people are completed behind their term and their command`() {
    #expect(candidates("/filter person:A") == ["person:Ann"])
    #expect(candidates("/person Ann") == ["Ann", "Ann Smith"])
  }

  @Test func `words of sessions are completed behind their terms`() {
    #expect(candidates("/sessions tool:") == ["tool:Bash", "tool:Edit"])
    #expect(candidates("/filter -is:f") == ["-is:failed"])
    #expect(candidates("/sessions proj") == ["project:"])
  }

  @Test func `saved filters are completed where their names stand`() {
    #expect(candidates("/filter te") == ["text", "tea"])
    #expect(candidates("/filter sa") == ["save"] && candidates("/filter text sa") == [])
    #expect(candidates("/filter text filter:t") == ["filter:tea"])
  }

  @Test func `names of emoji become names, and a whole name its emoji`() {
    #expect(candidates(":smile").contains(":smile:") && candidates(":smile").contains(":smile_cat:"))
    #expect(candidates("nice :smile:") == ["😄"] && candidates("/react c :tada") == ["🎉"])
    #expect(candidates("/reply c well :thumbsu") == ["👍"])
    #expect(candidates("12:30") == [] && candidates(":") == [] && candidates("x :)") == [])
  }

  @Test func `those who write are named at the beginning and behind an at sign, recent speakers first`()
    throws
  {
    #expect(candidates("al") == ["alice:", "albert:"] && candidates("hey @al") == ["@alice", "@albert"])
    #expect(candidates("/filter from:al") == ["from:alice", "from:albert"])
    let fixture = try StoreFixture()
    let context = try fixture.context()
    let speakers = context.names(.senders)
    #expect(speakers == ["bob", "alice"], "\(speakers)")
    #expect(candidates("hey al") == [])
  }

  @Test func `settings are completed, and their values`() {
    #expect(candidates("/set th") == ["theme"] && candidates("/set theme ") == ["auto", "dark", "light"])
    #expect(candidates("/set me x") == [] && candidates("/help ke") == ["keys"])
  }

  @Test func `names of several words are completed`() {
    #expect(candidates("/open ol") == ["old room", "old rules"])
    #expect(candidates("/open old ro") == ["room"] && candidates("/open old r") == ["room", "rules"])
    #expect(candidates("/open old x") == [])
  }

  @Test func `in an open quotation mark the names of its term are completed`() {
    #expect(candidates("/search from:\"two w") == ["two words"])
    #expect(candidates("/search (in:\"old r") == ["old room", "old rules"])
    #expect(candidates("/filter -from:\"al") == ["alice", "albert"])
    // Not `before:`, `text` or a saved filter.
    for line in ["/search from:\"b", "/filter from:\"te", "/search \"be"] { #expect(candidates(line) == []) }
  }

  @Test func `where no name begins with a word, its letters complete it`() {
    #expect(candidates("/open gnrl") == ["general"] && candidates("/open olru") == ["old rules"])
    #expect(
      candidates("/filter from:lce") == ["from:alice"] && candidates("/sessions tool:bs") == ["tool:Bash"])
    #expect(candidates("/goto 'bo") == ["'bottle"] && candidates("/goto 'btl") == ["'bottle"])
    #expect(candidates("/goto yst") == ["yesterday"] && candidates("/goto 'lmp") == [])
    #expect(candidates("/person asm") == ["Ann Smith"] && candidates("/open zz") == [])
  }

  @Test func `paths with spaces are put in quotes`() {
    let files = ["a/one.txt", "a/two words.txt", "a/two folders/"]
    #expect(candidates("/import a/one", files: files) == ["a/one.txt"])
    #expect(candidates("/import a/two", files: files) == ["\"a/two folders/", "\"a/two words.txt\""])
    #expect(candidates("/import \"a/two w", files: files) == ["a/two words.txt"])
  }

  @Test func `a reaction may be named, and a wrong name is answered with a near one`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    screen.type("/react f :tada:")
    #expect(screen.lines.contains { $0.hasSuffix("🎉 1") }, "\(screen.terminal.picture)")
    screen.type("/react f :thumsup:")
    #expect(screen.status == " unknown emoji ':thumsup:' — try: :thumbsup:")
    screen.type("/react f partyparrot")
    #expect(screen.lines.contains { $0.hasSuffix("🎉 1  partyparrot 1") })
    screen.type("/react f a nonsense text")
    #expect(screen.status.hasPrefix(" a reaction is an emoji"))
    #expect(screen.status.hasPrefix(" a reaction is an emoji or one short name"))
    screen.handle(.completions([":smile:", "x\u{1B}[2J"]))
    #expect(screen.lines[5].hasPrefix(" 😄 :smile:  x␛[2J"))
  }

  @Test(arguments: [(3, 20), (5, 20), (8, 60), (24, 80), (40, 200)])
  func `what a word may become takes up to half of the view, and all of it is shown by and by`(
    rows: Int, columns: Int
  ) throws {
    var screen = try StoreFixture().screen(rows: rows, columns: columns)
    let before = screen.lines
    let names = (1...37).map { "/command\($0)" }
    var seen: Set<String> = []
    for _ in names {
      screen.handle(.completions(names))
      let listed = screen.lines.filter { $0.contains("/command") }
      #expect(listed.count <= max(1, (rows - 2) / 2) && Array(screen.lines.suffix(listed.count)) == listed)
      seen.formUnion(listed.joined(separator: " ").split(separator: " ").map(String.init))
      #expect(listed.count * (columns / 13 + 1) >= names.count || screen.status.contains(" of 37; Tab"))
    }
    #expect(seen == Set(names))
    screen.handle(.typed("/c"))
    #expect(screen.lines == before && !screen.status.contains("Tab"))
  }
}
