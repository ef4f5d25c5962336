import HistoryModel
import MessageModel
import MessagePictures
import MessageStorage
import Testing

@testable import ChatSession
@testable import TerminalText

/// Draws words in place of pictures.
private struct WordDrawer: PictureDrawer {
  var cell = PixelSize(width: 10, height: 20)
  var erasing = "[gone]"

  func draw(_ file: [UInt8], columns: Int, rows: Int) throws(PictureRefusal) -> DrawnPicture {
    let name = String(decoding: file, as: UTF8.self)
    if name.hasSuffix("missing") { throw .damaged }
    return DrawnPicture(rows: (0..<rows).map { "<\(name) \(columns)×\(rows) row \($0)>" })
  }
}

/// Makes words of small pictures.
private struct WordMaker: PictureMaker {
  private static let signature: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]

  static func picture(_ name: String) -> [UInt8] { signature + name.utf8 }

  func pictures(of source: PictureSource, limits: PictureLimits) throws(PictureRefusal) -> PictureRenditions {
    guard case .bytes(let bytes) = source else { throw .unreadable }
    let name = String(decoding: bytes.dropFirst(Self.signature.count), as: UTF8.self)
    func small(_ kind: PictureKind, _ width: Int) -> PictureRendition {
      PictureRendition(
        pixelSize: PixelSize(width: width, height: width * 3 / 4), mediaType: "image/jpeg",
        bytes: Array("\(kind) of \(name)".utf8))
    }
    return PictureRenditions(
      pixelSize: PixelSize(width: 4_000, height: 3_000), thumbnail: small(.thumbnail, 320),
      preview: small(.preview, 1_280))
  }
}

@Suite final class PictureViewTests {
  /// The store of the session.
  private var fixture: StoreFixture?

  /// A photograph of 4,000 × 3,000 pixels among messages without any.
  private func session(
    _ photographs: [String] = ["cliff"], drawer: (any PictureDrawer)? = WordDrawer(),
    size: (Int, Int) = (24, 80)
  ) throws -> Session<ScreenReader> {
    let fixture = try StoreFixture(minutely: 60 - photographs.count)
    self.fixture = fixture
    let conversation = try fixture.context().conversation.id
    for name in photographs {
      let picture = NewAttachment(WordMaker.picture(name), name: "cliff.jpg", claimedType: "image/jpeg")
      try fixture.store.append([NewMessage("message", files: [picture])], to: conversation)
    }
    try fixture.store.makePictures(by: WordMaker())
    var session = try Session(try fixture.context(), rows: size.0, columns: size.1)
    session.draw(with: drawer)
    return session
  }

  /// Does the work that screens ask for until there is none, as the terminal's owner does.
  private func drawAll(_ session: inout Session<ScreenReader>) -> [Row] {
    for _ in 0..<100 {
      let (screen, jobs) = ScreenReader.show(&session)
      if jobs.isEmpty { return screen.rows }
      for report in jobs.flatMap({ $0.reports() }) { _ = session.handle(.reported(report)) }
    }
    return session.screen().rows
  }

  @Test func `no row is taken by a picture until the user says so`() throws {
    var session = try session()
    #expect(drawAll(&session).allSatisfy { $0.picture == nil })
  }

  @Test func `a thumbnail is drawn below the name of its file, in its own ratio`() throws {
    var session = try session()
    _ = session.handle(.line("/set pictures on"))
    let slots = drawAll(&session).compactMap(\.picture)
    // 320 × 240 pixels are 32 cells of 10 by 12 of 20; ten rows are the half of the view.
    #expect(slots.count == 10)
    #expect(slots.map(\.row) == Array(0..<10))
    #expect(slots.first?.strip == "<thumbnail of cliff 27×10 row 0>")
    #expect(slots.allSatisfy { $0.column == session.reader.view.settings.textColumn })
  }

  @Test func `what leaves the view is let go, and what comes is drawn`() throws {
    var session = try session(["one", "two", "three", "four", "five"])
    _ = session.handle(.line("/set pictures on"))
    _ = drawAll(&session)
    #expect((1...2).contains(session.reader.gallery.count))
    _ = session.handle(.key(.pageOlder))
    _ = drawAll(&session)
    #expect((1...3).contains(session.reader.gallery.count))
    _ = session.handle(.key(.oldest))
    _ = drawAll(&session)
    #expect(session.reader.gallery.count == 0 && session.reader.gallery.byteCount == 0)
  }

  @Test func `a picture that is not there leaves its rows empty and is asked for once`() throws {
    var session = try session(["missing"])
    _ = session.handle(.line("/set pictures on"))
    #expect(drawAll(&session).compactMap(\.picture).allSatisfy { $0.strip == nil })
    #expect(ScreenReader.show(&session).jobs.isEmpty)
  }

  @Test func `a message that is viewed shows its picture as large as the screen takes`() throws {
    var session = try session()
    _ = session.handle(.line("/set pictures on"))
    let id = try #require(session.reader.view.visible.last)
    _ = session.handle(.line("/view #\(id)"))
    _ = session.handle(.key(.pageNewer))
    let slots = drawAll(&session).compactMap(\.picture)
    #expect(slots.last?.strip?.hasPrefix("<preview of cliff") == true)
    #expect(slots.last?.key.rows == 19)
    _ = session.handle(.line(""))
    #expect(drawAll(&session).compactMap(\.picture).allSatisfy { $0.key.kind == .thumbnail })
  }

  @Test func `where nobody can draw, pictures cannot be set on`() throws {
    var session = try session(drawer: nil)
    _ = session.handle(.line("/set pictures on"))
    let said = session.screen().rows.suffix(2).map(\.plainText).joined(separator: " ")
    #expect(said.contains("no pictures can be drawn here"))
  }

  @Test func `a gallery is a grid of what is on the screen, newest first, and Enter goes to the message`()
    throws
  {
    let names = (0..<30).map { "p\($0)" }
    var session = try session(names, size: (24, 80))
    _ = session.handle(.line("/gallery"))
    #expect(session.reader.cover.gallery != nil)
    let rows = drawAll(&session)
    // Three in a row, two of these.
    let keys = rows.flatMap { $0.pictures.filter { $0.row == 0 } }
    #expect(keys.count == 6 && keys.allSatisfy { $0.strip != nil }, "\(rows.map(\.plainText))")
    #expect(Set(keys.map(\.column)).count == 3 && session.reader.gallery.count == 6)
    #expect(keys.first?.strip?.contains("of p29 ") == true)
    #expect(rows.last?.plainText.hasPrefix(" 1 of 30") == true, "\(rows.last?.plainText ?? "")")
    for key in [ReplKey.dayNewer, .rowNewer, .pageNewer] { _ = session.handle(.key(key)) }
    #expect(drawAll(&session).last?.plainText.hasPrefix(" 11 of 30") == true)
    #expect(session.reader.gallery.count == 6)
    let height = session.reader.view.height / 2
    _ = session.handle(.click(MouseClick(row: height + 2, column: 60)))
    #expect(drawAll(&session).last?.plainText.hasPrefix(" 12 of 30") == true, "the last one in view")
    _ = session.handle(.key(.oldest))
    #expect(drawAll(&session).last?.plainText.hasPrefix(" 30 of 30") == true)
    _ = session.handle(.key(.newest))
    _ = session.handle(.key(.dayNewer))
    _ = drawAll(&session)
    let wanted = try #require(session.reader.cover.gallery?.chosenItem?.id)
    _ = session.handle(.key(.choose))
    #expect(!session.reader.cover.isShown && session.reader.view.visible.contains(wanted))
    #expect(drawAll(&session).allSatisfy { $0.pictures.isEmpty } && session.reader.gallery.count == 0)
  }

  @Test func `where nothing can be drawn a gallery is a list, and Esc is back where one was`() throws {
    var session = try session(["one", "two"], drawer: nil, size: (24, 80))
    _ = session.handle(.key(.pageOlder))
    let before = session.reader.view.visible
    _ = session.handle(.line("/gallery"))
    #expect(drawAll(&session).count { $0.plainText.contains("cliff.jpg") } == 2)
    // What is typed looks for other ones.
    _ = session.handle(.line("nowhere"))
    #expect(drawAll(&session).contains { $0.plainText == " there are no pictures here" })
    _ = session.handle(.key(.escape))
    #expect(!session.reader.cover.isShown && session.reader.view.visible == before)
  }

  @Test func `however many pictures there are, few are held, and arrivals are seen at the top`() throws {
    var session = try session((0..<50).map { "p\($0)" }, drawer: nil)
    let store = try #require(fixture).store
    let conversation = session.context.conversation.id
    var batch = (0..<900).map { number in
      NewMessage("x", files: [NewAttachment(WordMaker.picture("q\(number)"), name: "q\(number).jpg")])
    }
    try store.append(batch, to: conversation)
    _ = session.handle(.line("/gallery"))
    var seen: [Message.ID] = []
    for _ in 0..<945 {
      _ = drawAll(&session)
      if let id = session.reader.cover.gallery?.chosenItem?.id { seen.append(id) }
      #expect((session.reader.cover.gallery?.heldCount ?? 0) <= 8 * 120)
      _ = session.handle(.key(.rowNewer))
    }
    #expect(seen.count == 945 && zip(seen, seen.dropFirst()).allSatisfy { $0 > $1 })
    for _ in 0..<945 {
      _ = session.handle(.key(.rowOlder))
      _ = drawAll(&session)
      #expect(session.reader.cover.gallery?.chosenItem?.id == seen.popLast())
    }
    batch = [NewMessage("new", files: [NewAttachment(WordMaker.picture("new"), name: "new.jpg")])]
    try store.append(batch, to: conversation)
    for job in session.handle(.storeChanged).jobs {
      for report in job.reports() { _ = session.handle(.reported(report)) }
    }
    #expect(drawAll(&session).contains { $0.plainText.contains("new.jpg") })
  }

  @Test func `a strip is written at its column, and taken away before anything else is written there`() {
    var painter = ScreenPainter(StyleEncoder(.none))
    painter.pictureErasing = "[gone]"
    var row = Row("text")
    row.picture = PictureSlot(
      key: PictureKey(sha256: "x", kind: .thumbnail, columns: 4, rows: 1), row: 0, column: 6, strip: "<strip>"
    )
    let rest = [Row("below"), Row("status")]
    let first = painter.paint(Screen(rows: [row] + rest, columns: 20))
    #expect(first.contains("text\u{1B}[K\u{1B}[1;7H<strip>\u{1B}[0m\u{1B}[2;1H"))
    #expect(!first.contains("[gone]"))
    let second = painter.paint(Screen(rows: [Row("other")] + rest, columns: 20))
    #expect(second.contains("\u{1B}[1;7H[gone]\u{1B}[1;1Hother"))
    // Above the status line, no terminal may scroll for it.
    let third = painter.paint(Screen(rows: [Row("other"), row, Row("status")], columns: 20))
    #expect(third.contains("\u{1B}[r\u{1B}[2;7H<strip>\u{1B}[0m\u{1B}[1;3r"))
  }
}
