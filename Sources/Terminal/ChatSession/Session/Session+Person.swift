internal import MessageModel
internal import MessageStorage

extension Session {
  mutating func followingPerson() -> [Job] {
    guard case .person(let person) = context.timeline else {
      followsPerson.callOff()
      return []
    }
    guard followsPerson.begin() else { return [] }
    return [
      Job(.person) { [store = context.store] report, _ in
        // A person unlinked and linked again has another id; the name finds them.
        let present =
          try store.timeline(ofPerson: person.id) ?? (try? store.timeline(ofPersonNamed: person.name))
        report(.person(present, inPlaceOf: person.id))
      }
    ]
  }

  mutating func take(_ person: PersonTimeline?, inPlaceOf id: Person.ID) throws -> Effects {
    followsPerson.end()
    guard case .person(let before) = context.timeline, before.id == id else { return Effects() }
    let present = person ?? PersonTimeline(id: before.id, name: before.name, senders: [], direct: [])
    guard present != before else { return Effects() }
    let effects = try reselect { $0.timeline = .person(present) }
    return person == nil
      ? effects.adding(Effects(.notice("there is no person \(context.shownName) any more"))) : effects
  }

  /// Changes the shown messages; keeps the place if possible.
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
