internal import Foundation
package import MessageModel

/// The stored text of a predicate: JSON arrays that begin with a word, such as
/// `["and",["sender",3],["regex","colou?r"]]`. Equal predicates have equal texts.
package enum PredicateText {
  package static func text(of predicate: MessagePredicate) -> String {
    let data = try? JSONSerialization.data(
      withJSONObject: list(of: predicate), options: [.withoutEscapingSlashes])
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "[\"or\"]"
  }

  static func predicate(of text: String) -> MessagePredicate? {
    guard let list = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any] else { return nil }
    return predicate(of: list)
  }

  private static func list(of predicate: MessagePredicate) -> [Any] {
    switch predicate {
    case .everything: ["everything"]
    case .sender(let ids): ["sender"] + ids.map(\.rawValue).sorted()
    case .conversation(let ids): ["conversation"] + ids.map(\.rawValue).sorted()
    case .thread(let id): ["thread", id.rawValue]
    case .kind(let kinds): ["kind"] + kinds.map(\.rawValue).sorted()
    case .ids(let range): ["ids", range.lowerBound.rawValue, range.upperBound.rawValue]
    case .written(let times):
      ["written", times.lowerBound.millisecondsSince1970, times.upperBound.millisecondsSince1970]
    case .has(let feature): ["has", feature.rawValue]
    case .file(let pattern): ["file", pattern]
    case .forwarded(let pattern): ["forwarded", pattern]
    case .matching(let query): ["matching", query]
    case .regex(let pattern): ["regex", pattern]
    case .not(let inner): ["not", list(of: inner)]
    case .and(let all): ["and"] + all.map { list(of: $0) }
    case .or(let any): ["or"] + any.map { list(of: $0) }
    }
  }

  private static func predicate(of list: [Any]) -> MessagePredicate? {
    let rest = list.dropFirst()
    switch list.first as? String {
    case "everything": return .everything
    case "sender": return numbers(rest).map { .sender(Set($0.map(Sender.ID.init(rawValue:)))) }
    case "conversation":
      return numbers(rest).map { .conversation(Set($0.map(Conversation.ID.init(rawValue:)))) }
    case "thread":
      return numbers(rest).flatMap { $0.count == 1 ? .thread(Message.ID(rawValue: $0[0])) : nil }
    case "kind":
      let kinds = numbers(rest)?.compactMap { Message.Kind(rawValue: Int($0)) }
      return kinds.flatMap { $0.count == rest.count ? .kind(Set($0)) : nil }
    case "ids":
      guard let bounds = numbers(rest), bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
      return .ids(Message.ID(rawValue: bounds[0])...Message.ID(rawValue: bounds[1]))
    case "written":
      guard let bounds = numbers(rest), bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
      return .written(
        Timestamp(millisecondsSince1970: bounds[0])...Timestamp(millisecondsSince1970: bounds[1]))
    case "has": return word(rest).flatMap(MessagePredicate.Feature.init(rawValue:)).map { .has($0) }
    case "file": return word(rest).map { .file($0) }
    case "forwarded": return word(rest).map { .forwarded($0) }
    case "matching": return word(rest).map { .matching($0) }
    case "regex": return word(rest).map { .regex($0) }
    case "not": return predicates(rest).flatMap { $0.count == 1 ? .not($0[0]) : nil }
    case "and": return predicates(rest).map { .and($0) }
    case "or": return predicates(rest).map { .or($0) }
    default: return nil
    }
  }

  private static func word(_ list: ArraySlice<Any>) -> String? {
    list.count == 1 ? list.first as? String : nil
  }

  private static func numbers(_ list: ArraySlice<Any>) -> [Int64]? {
    let numbers = list.compactMap { ($0 as? NSNumber)?.int64Value }
    return numbers.count == list.count ? numbers : nil
  }

  private static func predicates(_ list: ArraySlice<Any>) -> [MessagePredicate]? {
    let parts = list.compactMap { ($0 as? [Any]).flatMap { predicate(of: $0) } }
    return parts.count == list.count ? parts : nil
  }
}
