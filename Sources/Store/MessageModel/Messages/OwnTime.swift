/// The time of a message that differs from the time of its place.
package struct OwnTime: Hashable, Sendable {
  package var id: Message.ID
  package var time: Timestamp
  package var precision: TimePrecision

  package init(id: Message.ID, time: Timestamp, precision: TimePrecision) {
    (self.id, self.time, self.precision) = (id, time, precision)
  }
}
