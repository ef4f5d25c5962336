internal import MessageModel

/// The facts that a program writes down of a session as a whole: tokens in and out, and their cost.
struct SessionFacts {
  /// The tokens that were given to the model.
  var tokensIn: Int64 = 0
  /// The tokens that the model gave.
  var tokensOut: Int64 = 0
  /// The tokens that the conversation had at last.
  var contextTokens: Int64 = 0
  /// The amount that was paid, in US dollars.
  var dollars = 0.0
  /// The requests that were paid for.
  var requestCount: Int64 = 0

  /// The facts as a message of the session, which says nothing if none is known.
  var part: AssistantPart {
    var words: [String] = []
    if tokensIn > 0 || tokensOut > 0 { words.append("\(tokensIn) tokens in, \(tokensOut) out") }
    if contextTokens > 0 { words.append("\(contextTokens) tokens of context") }
    if requestCount > 0 { words.append(requestCount == 1 ? "1 request" : "\(requestCount) requests") }
    if dollars > 0 { words.append("$\(Self.amount(dollars))") }
    return AssistantPart(
      kind: .system, text: words.isEmpty ? "" : "session: " + words.joined(separator: ", "))
  }

  /// Returns an amount with four places behind the point, without zeros at its end beyond two.
  private static func amount(_ dollars: Double) -> String {
    guard dollars < 1e12 else { return "\(dollars)" }
    let parts = Int64((dollars * 10_000).rounded())
    var places = String(String(parts % 10_000 + 10_000).dropFirst())
    while places.count > 2, places.last == "0" { places.removeLast() }
    return "\(parts / 10_000).\(places)"
  }
}
