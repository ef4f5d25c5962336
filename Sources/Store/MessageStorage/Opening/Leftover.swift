internal import CFiles

/// A file that is worth nothing unless this process makes it whole: if a signal ends the process, it goes.
package final class Leftover: Sendable {
  private let number: Int32

  package init(_ path: String) { number = cfiles_note(path) }

  deinit { cfiles_forget(number) }
}
