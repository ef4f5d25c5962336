internal import Foundation
public import MessageModel
internal import MessageStorage

/// By what tokens and cost are grouped.
public enum UsageGrouping: String, Codable, Hashable, Sendable, CaseIterable {
  /// The day on which they were used.
  case day
  /// The model.
  case model
  /// The working folder.
  case project
  /// The program of the session.
  case program
}

/// Asks for tokens and cost of assistants' sessions by a property.
public struct UsageQuestion: HistoryQuestion, ListQuestion {
  /// Its word in JSON.
  public static let word = "usage"

  /// The property; `nil` for days.
  public var by: UsageGrouping?
  /// A typed query that selects sessions, as of ``SessionsQuestion``; its times and models also select the uses
  /// within them. `nil` for all.
  public var words: String?
  /// The most groups; `nil` for the usual limit.
  public var limit: Int?
  /// The time zone of days, and of times without one; `nil` for UTC.
  public var timeZone: String?

  /// Creates a question.
  public init(
    by: UsageGrouping? = nil, words: String? = nil, limit: Int? = nil, timeZone: String? = nil
  ) {
    (self.by, self.words, self.limit, self.timeZone) = (by, words, limit, timeZone)
  }
}

extension UsageQuestion {
  /// Returns the tokens and costs, by the built-in prices where a program wrote none.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> UsageAnswer {
    try queries.usage(
      by: by ?? .day, matching: words, limit: QuestionAnswerer.limit(limit),
      timeZone: QuestionAnswerer.zone(timeZone))
  }

  package var isSearch: Bool { true }
}

/// Tokens and cost by a property.
public struct UsageAnswer: HistoryAnswer, ServedAnswer {
  /// The groups: the newest days in order of time, others by cost and tokens, most first.
  public var groups: [UsageGroupAnswer]
  /// The sum of all groups, including those left out.
  public var total: UsageGroupAnswer
  /// The number of earlier or smaller groups left out; `nil` if there are none.
  public var others: Int?

  package var count: Int { groups.count }
}

/// Tokens and cost with one value of a property, under the key of that property.
public struct UsageGroupAnswer: Codable, Hashable, Sendable {
  /// The date: `2026-03-01`.
  public var day: String?
  /// The id of the model; `nil` if unknown.
  public var model: String?
  /// The path of the working folder; `nil` if unknown.
  public var project: String?
  /// The program, by the platform of its sessions as `import --format` names it; `nil` if unknown.
  public var program: String?
  /// The tokens sent to models, including cached ones.
  public var tokensSent: Int64
  /// The tokens among them that were read from a cache; `nil` for none.
  public var tokensCached: Int64?
  /// The tokens among them that were written to a cache; `nil` for none, or if the program does not say.
  public var tokensWritten: Int64?
  /// The tokens received from models.
  public var tokensReceived: Int64
  /// The cost in US dollars; `nil` if nothing is known of it.
  public var dollars: Double?
  /// The part of the cost that the program did not write and prices of tokens give; `nil` for none.
  public var dollarsByPrices: Double?
  /// The tokens of which the cost is unknown; `nil` for none.
  public var tokensUnpriced: Int64?

  init(_ sum: UsageSum) {
    tokensSent = sum.sent
    tokensCached = sum.cached > 0 ? sum.cached : nil
    tokensWritten = sum.written > 0 ? sum.written : nil
    tokensReceived = sum.received
    dollars = sum.isPriced ? Double(sum.cost) / 1e6 : nil
    dollarsByPrices = sum.costByPrices > 0 ? Double(sum.costByPrices) / 1e6 : nil
    tokensUnpriced = sum.unpriced > 0 ? sum.unpriced : nil
  }

  init(_ sum: UsageSum, by grouping: UsageGrouping, _ key: String?) {
    self.init(sum)
    switch grouping {
    case .day: day = key
    case .model: model = key
    case .project: project = key
    case .program: program = key
    }
  }
}
