internal import MessageModel
internal import MessageStorage

/// When it is looked up who is linked to the person whose messages are shown: at once after a change of the store, and while
/// others write a few times a minute, for that takes a look at all senders.
package struct PersonFollowing: Sendable {
  /// The shortest time between two look-ups.
  package var interval = Duration.seconds(2)
  fileprivate var isDue = false
  fileprivate var isUnderWay = false
  /// Before when it is not looked up again.
  fileprivate var restsUntil: ContinuousClock.Instant?

  mutating func noticeChange() { isDue = true }

  /// When the session wants to be told that time has passed; `nil` for never.
  var wakesAt: ContinuousClock.Instant? { isDue && !isUnderWay ? restsUntil : nil }
}

extension Session {
  /// Looks up who is linked to the person whose messages are shown, if that is due.
  mutating func followingPerson() -> [Job] {
    guard case .person(let person) = context.timeline else {
      followsPerson.isDue = false
      return []
    }
    guard followsPerson.isDue, !followsPerson.isUnderWay, followsPerson.restsUntil.map({ $0 <= .now }) ?? true
    else { return [] }
    (followsPerson.isDue, followsPerson.isUnderWay) = (false, true)
    return [
      Job(.person) { [store = context.store] report, _ in
        // Who was unlinked and is linked again is another person, and is meant by the name.
        let present =
          try store.timeline(ofPerson: person.id) ?? (try? store.timeline(ofPersonNamed: person.name))
        report(.person(present, inPlaceOf: person.id))
      }
    ]
  }

  /// Takes in who is linked by now, and shows their messages; of a person who is gone there are none.
  mutating func take(_ person: PersonTimeline?, inPlaceOf id: Person.ID) throws -> Effects {
    followsPerson.isUnderWay = false
    followsPerson.restsUntil = .now + followsPerson.interval
    guard case .person(let before) = context.timeline, before.id == id else { return Effects() }
    let present = person ?? PersonTimeline(id: before.id, name: before.name, senders: [], direct: [])
    guard present != before else { return Effects() }
    let effects = try reselect { $0.timeline = .person(present) }
    return person == nil
      ? effects.adding(Effects(.notice("there is no person \(context.shownName) any more"))) : effects
  }

  /// Changes which messages are shown, and shows them; the place is kept as far as it is among them.
  mutating func reselect(_ change: (inout ReplContext) -> Void) throws -> Effects {
    let before = context
    change(&context)
    guard context.selection != before.selection else { return Effects() }
    var effects = Effects(stops: forgetHits().union([.count]))
    do { effects.replies = try reader.select(.taken, keeping: nil, in: &context) } catch {
      context = before
      throw error
    }
    forgetCount()
    effects.jobs = counting()
    return effects
  }
}
