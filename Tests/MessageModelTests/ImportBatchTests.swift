import HistoryModel
import MessageModel
import Testing

@Suite struct ImportBatchTests {
  private func entry(_ text: ImportBatch.Span, sender: ImportBatch.Span = .none) -> ImportBatch.Entry {
    ImportBatch.Entry(
      time: Timestamp(millisecondsSince1970: 0), precision: .second, kind: .text, conversation: 0,
      sender: sender, text: text)
  }

  @Test func `a span gives what was copied in, and none is not the same as empty`() {
    var batch = ImportBatch()
    let (name, empty, text) = (batch.store("Zoë"), batch.store(""), batch.store("tea ☕️"))
    #expect(batch.string(name) == "Zoë" && batch.string(text) == "tea ☕️")
    #expect(batch.string(empty) == "" && batch.string(.none) == nil)
    #expect(empty.isEmpty && !empty.isNone && ImportBatch.Span.none.isNone && ImportBatch.Span.none.isEmpty)
    #expect(batch.withBytes(of: .none) { $0.count } == 0)
    #expect(batch.byteCount == "Zoë".utf8.count + "tea ☕️".utf8.count)
  }

  @Test func `bytes that are not UTF-8 are kept, and shown as the mark for that`() {
    var batch = ImportBatch()
    let span = [UInt8]([0x61, 0xFF, 0x62]).withUnsafeBytes { batch.store($0) }
    #expect(batch.string(span) == "a\u{FFFD}b")
    #expect(batch.withBytes(of: span) { Array($0) } == [0x61, 0xFF, 0x62])
  }

  @Test func `a conversation has one index, however often it is named`() {
    var batch = ImportBatch()
    #expect(["a", "b", "a", ""].map { batch.conversation(named: $0) } == [0, 1, 0, 2])
    #expect(batch.conversations == ["a", "b", ""])
  }

  @Test func `the last text grows by lines, and the others stay`() {
    var batch = ImportBatch()
    batch.append(entry(batch.store("first")))
    #expect(batch.append(entry(batch.store("one"))) == 1)
    for line in ["\ntwo", "\nthree"] { Array(line.utf8).withUnsafeBytes { batch.extendLastText(with: $0) } }
    #expect(batch.entries.map { batch.string($0.text) } == ["first", "one\ntwo\nthree"])
  }

  @Test func `a batch that was emptied is a new one`() {
    var batch = ImportBatch()
    _ = batch.conversation(named: "a")
    batch.append(entry(batch.store("text")))
    batch.details[0] = ImportDetails()
    batch.removeAll()
    #expect(batch.isEmpty && batch.count == 0 && batch.byteCount == 0 && batch.details.isEmpty)
    #expect(batch.conversations.isEmpty && batch.conversation(named: "b") == 0)
    let again = batch.store("again")
    #expect(batch.string(again) == "again")
  }

  @Test func `details of which nothing is known are equal to no others`() {
    var details = ImportDetails()
    #expect(details == ImportDetails())
    details.replyTo = .external("1")
    #expect(details != ImportDetails() && details.replyTo != .message(Message.ID(rawValue: 1)))
  }
}
