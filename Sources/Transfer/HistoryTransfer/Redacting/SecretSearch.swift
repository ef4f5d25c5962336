package import MessageModel
package import MessageStorage
package import Redaction

/// A search for keys and tokens in messages: their texts, former texts and imported originals.
///
/// Memory holds a page of messages, and a number per secret found.
package struct SecretSearch: Sendable {
  package var selection: Selection
  package var order: PageRequest.Order
  private let finder: SecretFinder

  package init(
    _ selection: Selection, order: PageRequest.Order = .newestFirst, finder: SecretFinder = .standard
  ) {
    (self.selection, self.order, self.finder) = (selection, order, finder)
  }

  package enum Part: String, Sendable {
    case text, edit, original
  }

  package struct Place: Sendable {
    package let record: MessageRecord
    package let part: Part
    package let kind: String
    package let secret: String
    /// Equal secrets have equal numbers.
    package let number: Int
  }

  package struct Outcome: Sendable {
    package var messageCount = 0
    package var placeCount = 0
    package var secretCount = 0
  }

  /// Calls `body` with each finding until it returns `false`.
  ///
  /// - Complexity: O(messages).
  package func run(
    _ store: SynchronousMessageStore, isCancelled: () -> Bool, _ body: (Place) throws -> Bool
  ) throws -> Outcome {
    var outcome = Outcome()
    var numbers: [String: Int] = [:]
    var anchor: PageAnchor = order == .oldestFirst ? .oldest : .newest
    while !isCancelled() {
      let page = try store.records(
        PageRequest(
          selection, order: order, anchor: anchor, fetchLimit: HistoryExport.pageSize, wantsCounts: false),
        byteLimit: HistoryExport.pageByteCount)
      for record in page.records {
        outcome.messageCount += 1
        var known: Set<String> = []
        for (part, text) in Self.texts(of: record) {
          for found in finder.secrets(in: text) {
            let secret = String(text.part(found.range))
            // An original repeats the text.
            guard known.insert(secret).inserted || part == .text else { continue }
            let number = numbers[secret] ?? numbers.count + 1
            numbers[secret] = number
            (outcome.placeCount, outcome.secretCount) = (outcome.placeCount + 1, numbers.count)
            let place = Place(record: record, part: part, kind: found.kind, secret: secret, number: number)
            guard try body(place) else { return outcome }
          }
        }
      }
      guard let last = page.records.last?.message.id,
        order == .oldestFirst ? page.hasNewer : page.hasOlder
      else { break }
      anchor = order == .oldestFirst ? .after(last) : .before(last)
    }
    return outcome
  }

  private static func texts(of record: MessageRecord) -> [(Part, String)] {
    var texts: [(Part, String)] = [(.text, record.message.text)]
    texts += record.edits.map { (.edit, $0.text) }
    if let original = record.source?.original { texts.append((.original, original)) }
    return texts
  }
}
