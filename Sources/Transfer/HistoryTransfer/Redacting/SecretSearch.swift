package import MessageModel
package import MessageStorage
package import Redaction

/// A search for keys and tokens in all that messages say: their texts, those that they had before, and the records that they were
/// imported from.
///
/// Memory holds a page of messages, and a number for each secret that was found.
package struct SecretSearch: Sendable {
  /// The messages to search.
  package var selection: Selection
  package var order: PageRequest.Order
  private let finder: SecretFinder

  /// Creates a search.
  package init(
    _ selection: Selection, order: PageRequest.Order = .newestFirst, finder: SecretFinder = .standard
  ) {
    (self.selection, self.order, self.finder) = (selection, order, finder)
  }

  /// The part of a message that a secret stands in.
  package enum Part: String, Sendable {
    case text, edit, original
  }

  /// A secret, and where it was found.
  package struct Place: Sendable {
    package let record: MessageRecord
    package let part: Part
    package let kind: String
    package let secret: String
    /// Its number: the same secret has the same one wherever it is found.
    package let number: Int
  }

  /// The outcome of a search.
  package struct Outcome: Sendable {
    /// The messages that were read, the places with secrets, and the secrets.
    package var messageCount = 0
    package var placeCount = 0
    package var secretCount = 0
  }

  /// Calls `body` with each place until it answers `false`.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read, and what `body` throws.
  /// - Complexity: O(messages), by keys.
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
            // A kept original has the text once more.
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
