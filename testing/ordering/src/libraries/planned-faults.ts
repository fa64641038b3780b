import type { Fault } from '../faults/faults.js';

/** A library that fails on demand, and the consequences of its failures. */
export interface FailingLibrary {
  /** Plans a fault; null: nothing fails any more. */
  plan(fault: Fault | null): void;
  /** How often a function failed because that was planned. */
  failed(call: string): number;
  /** Whether a fault may cause an error. */
  isOf(error: { readonly code?: unknown }, fault: Fault): boolean;
  /** Whether a lost context may cause an error. */
  isOfLoss(error: { readonly code?: unknown }): boolean;
  /** Whether a fault that came loses the context. */
  readonly losing: readonly string[];
  /** Functions that free something. If they fail, nobody can. */
  readonly givesBack: readonly string[];
}

/** The faults of successive programs, and which of them occurred. */
export class PlannedFaults {
  readonly #library: FailingLibrary;
  #faults: readonly Fault[] = [];
  #before = new Map<string, number>();

  constructor(library: FailingLibrary) {
    this.#library = library;
  }

  /** Begins a program with these faults. */
  begin(faults: readonly Fault[]): void {
    this.#faults = faults;
    this.#before = new Map(faults.map(({ call }) => [call, this.#library.failed(call)]));
  }

  /** Plans a fault from now on; null: nothing fails any more. */
  fail(fault: Fault | null): void {
    this.#library.plan(fault);
  }

  /** Whether a call that failed in this way explains an error. */
  explains(error: unknown): boolean {
    const told = error as { readonly code?: unknown };
    if (this.isLost() && this.#library.isOfLoss(told)) return true;
    return this.#came.some((fault) => this.#library.isOf(told, fault));
  }

  /** Whether a fault that occurred has lost the context: nothing works in this process any more. */
  isLost(): boolean {
    return this.#came.some(({ error }) => this.#library.losing.includes(error));
  }

  /** How many objects may remain because nobody could free them. */
  mayLeave(): number {
    const names = new Set(this.#came.map(({ call }) => call));
    const given = [...names].filter((call) => this.#library.givesBack.includes(call));
    return given.reduce((sum, call) => sum + this.#count(call), 0);
  }

  get #came(): readonly Fault[] {
    return this.#faults.filter(({ call }) => this.#count(call) > 0);
  }

  #count(call: string): number {
    return this.#library.failed(call) - (this.#before.get(call) ?? 0);
  }
}
