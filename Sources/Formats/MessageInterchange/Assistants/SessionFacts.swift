internal import MessageModel

struct SessionFacts {
  var tokensIn: Int64 = 0
  var tokensOut: Int64 = 0
  /// The tokens in the conversation's context at its end.
  var contextTokens: Int64 = 0
  var dollars = 0.0
  var requestCount: Int64 = 0

  var part: AssistantPart {
    var words: [String] = []
    if tokensIn > 0 || tokensOut > 0 { words.append("\(tokensIn) tokens in, \(tokensOut) out") }
    if contextTokens > 0 { words.append("\(contextTokens) tokens of context") }
    if requestCount > 0 { words.append(requestCount == 1 ? "1 request" : "\(requestCount) requests") }
    if dollars > 0 { words.append("$\(Self.amount(dollars))") }
    return AssistantPart(
      kind: .system, text: words.isEmpty ? "" : "session: " + words.joined(separator: ", "))
  }

  private static func amount(_ dollars: Double) -> String {
    guard dollars < 1e12 else { return "\(dollars)" }
    let parts = Int64((dollars * 10_000).rounded())
    var places = String(String(parts % 10_000 + 10_000).dropFirst())
    while places.count > 2, places.last == "0" { places.removeLast() }
    return "\(parts / 10_000).\(places)"
  }
}
