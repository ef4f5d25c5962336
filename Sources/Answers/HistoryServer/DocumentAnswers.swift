internal import Foundation
internal import HistoryQueries
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

/// Answers a question for a page with the document that `export --format html` writes.
struct DocumentAnswers: Sendable {
  let served: ServedStore
  let me: String?

  private static let maxCount = 5_000
  private static let maxByteCount = 32 << 20
  /// Of what is read in one transaction.
  private static let page = (count: 500, byteCount: 4 << 20)

  func answer(
    _ question: PageQuestion, isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> ServerAnswer {
    try served.readingShown { store throws(StoreError) in
      try SynchronousMessageStore.whileCancellable(by: isCancelled) { () throws(StoreError) in
        .bytes(try document(of: question, in: store.shown), type: "text/html; charset=utf-8")
      }
    }
  }

  private func document(
    of question: PageQuestion, in store: SynchronousMessageStore
  ) throws(StoreError) -> [UInt8] {
    var left = min(question.limit ?? Self.maxCount, Self.maxCount)
    var request = try question.request(by: QuestionAnswerer(store, me: me))
    request.wantsCounts = false
    var document = HTMLExport(timeZone: try QuestionAnswerer.zone(question.timeZone))
    var (names, dialects) = (ConversationNames(store), ConversationDialects(store))
    var bytes: [UInt8] = []
    document.writeHeader(to: &bytes)
    while left > 0, bytes.count < Self.maxByteCount {
      request.fetchLimit = min(left, Self.page.count)
      let page = try store.records(request, byteLimit: Self.page.byteCount)
      for record in page.records {
        let conversation = record.message.conversation
        var written = ExportRecord(record, conversation: try names.name(of: conversation))
        written.dialect = try dialects.dialect(of: conversation)
        Self.place(filesOf: &written)
        document.write(written, to: &bytes)
      }
      left -= page.records.count
      guard page.hasNewer, let last = page.records.last?.message.id else { break }
      (request.anchor, request.fetchOffset, request.olderShare) = (.after(last), 0, nil)
    }
    document.writeFooter(to: &bytes)
    return bytes
  }

  /// Files are at the server. Their names end the addresses: by these it is known what may be shown.
  private static func place(filesOf record: inout ExportRecord) {
    record.hasFilesBeside = true
    for (index, file) in record.attachments.enumerated() {
      record.attachments[index].path = "attachment/\(record.id)/\(index)/\(SafeFileName(file.name).text)"
    }
  }
}
