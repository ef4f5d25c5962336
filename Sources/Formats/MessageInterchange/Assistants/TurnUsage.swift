internal import MessageModel

struct TurnUsage {
  private var sent: Int64 = 0
  private var received: Int64 = 0
  private var cached: Int64 = 0
  private var written: Int64 = 0
  private var cost = 0.0

  var isEmpty: Bool { sent == 0 && received == 0 && cost == 0 }

  /// `sent` includes the `cached` and the `written` tokens; `cost` is in dollars.
  mutating func add(
    sent: Int64?, received: Int64?, cached: Int64? = nil, written: Int64? = nil, cost: Double? = nil
  ) {
    self.sent = Self.sum(self.sent, sent)
    self.received = Self.sum(self.received, received)
    self.cached = Self.sum(self.cached, cached)
    self.written = Self.sum(self.written, written)
    if let cost, cost.isFinite, cost > 0, self.cost + cost < 1e12 { self.cost += cost }
  }

  /// Counts apart: what was sent afresh, read from a cache, and written into one.
  mutating func add(fresh: Int64?, cached: Int64?, written: Int64?, received: Int64?, cost: Double? = nil) {
    func bounded(_ count: Int64?) -> Int64 { max(0, min(count ?? 0, 1 << 40)) }
    let sent = bounded(fresh) + bounded(cached) + bounded(written)
    add(sent: sent, received: received, cached: bounded(cached), cost: cost)
  }

  private static func sum(_ one: Int64, _ other: Int64?) -> Int64 {
    guard let other, other > 0 else { return one }
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? one : sum
  }

  var part: AssistantPart { part(of: nil) }

  /// - Parameter model: The id of the model, which stands before the tokens.
  func part(of model: String?) -> AssistantPart {
    var text = (model.map { "\($0): " } ?? "") + "Tokens: \(sent) sent"
    let cache = (cached > 0 ? ["\(cached) of them cached"] : []) + (written > 0 ? ["\(written) written"] : [])
    if !cache.isEmpty { text += " (\(cache.joined(separator: ", ")))" }
    text += ", \(received) received."
    if cost > 0 { text += " Cost: $\(Self.dollars(cost))." }
    return AssistantPart.note(text)
  }

  private static func dollars(_ cost: Double) -> String {
    let units = Int64((cost * 10_000).rounded())
    let rest = String(10_000 + units % 10_000).dropFirst()
    return "\(units / 10_000)." + (rest.hasSuffix("00") ? rest.prefix(2) : rest)
  }
}

extension JSONFields {
  func real(_ key: String) -> Double? { self[key].flatMap { Double($0.string) } }
}

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
