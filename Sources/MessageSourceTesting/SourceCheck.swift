import MessageModel

/// A sequence of operations after which a source gives another answer than the naive model.
public struct SourceDisagreement: Error, CustomStringConvertible, Sendable {
  /// The seed that the operations were drawn from.
  public let seed: UInt64
  /// The steps taken, shortened until none could be left out; the last one is the question.
  public let operations: [String]
  /// The model's answer.
  public let expected: String
  /// The source's answer.
  public let found: String

  public var description: String {
    let steps = operations.enumerated().map { "  \($0 + 1). \($1)" }.joined(separator: "\n")
    return
      "the source disagrees with the model (seed \(seed)):\n\(steps)\n  expected \(expected)\n  found    \(found)"
  }
}

/// Compares a source with the naive model over random changes and questions.
///
/// Ask it from a test of your own source:
///
/// ```swift
/// try await checkMessageSource(seeds: 0..<100) { try MyStore(path: temporaryPath()) }
/// ```
///
/// It asks for pages at every kind of anchor but the first unread message, in both orders, with all sorts of
/// limits, offsets, shares and filters, and compares messages, end flags, resolutions, exact counts, and how far
/// the version has moved.
///
/// - Parameters:
///   - seeds: A random sequence is drawn for each.
///   - length: How many operations a sequence has.
///   - makeSource: Makes an empty source; called once for each sequence and again for each step of shortening one.
/// - Throws: ``SourceDisagreement`` with the shortest sequence found, or what the source itself throws.
public func checkMessageSource<Source: MutableMessageSource>(
  seeds: Range<UInt64> = 0..<20, length: Int = 200, makeSource: () async throws -> Source
) async throws {
  for seed in seeds {
    var generator = SeededGenerator(seed: seed)
    let operations = (0..<length).map { _ in SourceOperation.random(using: &generator) }
    guard try await disagreement(over: operations, in: makeSource()) != nil else { continue }
    let shortest = try await shrunk(operations) { try await disagreement(over: $0, in: makeSource()) != nil }
    guard let (expected, found) = try await disagreement(over: shortest, in: makeSource()) else {
      throw SourceDisagreement(
        seed: seed, operations: ["(the same operations gave different answers when repeated)"],
        expected: "the same answer each time", found: "different ones")
    }
    throw SourceDisagreement(
      seed: seed, operations: shortest.map { String(describing: $0) }, expected: expected, found: found)
  }
}

/// Returns the two answers of the first question on which source and model differ, or `nil`.
private func disagreement(
  over operations: [SourceOperation], in source: some MutableMessageSource
) async throws -> (expected: String, found: String)? {
  var pair = try await SourceAndModel(source)
  for operation in operations {
    if let difference = try await pair.perform(operation) { return difference }
  }
  return nil
}
