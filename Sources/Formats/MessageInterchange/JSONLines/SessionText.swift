internal import MessageModel

/// An assistant's session in JSON Lines: `"session":{"project":"/home/ann/tea","tokensSent":1200}`.
enum SessionText {
  private enum Count: String, CaseIterable {
    case tokensSent, tokensCached, tokensReceived

    var path: WritableKeyPath<SessionNote, Int64?> {
      switch self {
      case .tokensSent: \.sentTokens
      case .tokensCached: \.cachedTokens
      case .tokensReceived: \.receivedTokens
      }
    }
  }

  static func write(_ note: SessionNote, to bytes: inout [UInt8]) {
    var fields = JSONObjectText()
    fields.add("project", note.folder)
    fields.add("branch", note.branch)
    for count in Count.allCases { fields.add(count.rawValue, number: note[keyPath: count.path]) }
    fields.add("dollars", written: note.cost.map(dollars))
    bytes.append(",\"session\":")
    bytes.append(contentsOf: fields.object)
  }

  private static let millionths: Int64 = 1_000_000
  private static let placeCount = 6

  private static func dollars(_ cost: Int64) -> String {
    var places = String("\(millionths + cost % millionths)".dropFirst())
    while places.hasSuffix("0") { places.removeLast() }
    return "\(cost / millionths)" + (places.isEmpty ? "" : ".\(places)")
  }

  static func read(_ bytes: Bytes) throws(JSONError) -> SessionNote {
    let fields = try JSONFields.reading(bytes)
    var note = SessionNote(folder: try fields.string("project"))
    note.branch = try fields.string("branch")
    for count in Count.allCases { note[keyPath: count.path] = try number(fields, count.rawValue) }
    if let value = fields["dollars"] {
      guard let cost = cost(value.string) else { throw JSONError(reason: "\"dollars\" is not an amount") }
      note.cost = cost
    }
    return note
  }

  private static func number(_ fields: JSONFields, _ key: String) throws(JSONError) -> Int64? {
    guard let value = fields[key] else { return nil }
    guard let number = Int64(value.string), number >= 0 else {
      throw JSONError(reason: "\"\(key)\" is not a number of tokens")
    }
    return number
  }

  /// Rounds down to the millionth; no exponents.
  private static func cost(_ text: String) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let places = parts.count > 1 ? parts[1] : ""
    guard let whole = Int64(parts[0]), whole >= 0, places.allSatisfy({ $0.isASCII && $0.isNumber }),
      let rest = Int64((places + "000000").prefix(placeCount))
    else { return nil }
    let (product, isTooMuch) = whole.multipliedReportingOverflow(by: millionths)
    let (sum, isMore) = product.addingReportingOverflow(rest)
    return isTooMuch || isMore ? nil : sum
  }
}
