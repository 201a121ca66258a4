// Data that a page reads when it opens, and again when asked.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "./api";
import { over, renewed } from "./session";

export interface Loaded<T> {
  data: T | null; // the last answer; it stays while a newer one is read
  problem: Problem | null;
  busy: boolean;
  again: () => Promise<void>;
  set: (data: T) => void;
}

// useLoad reads data when `what` changes, and after a session was continued.
export function useLoad<T>(what: string, read: () => Promise<T>): Loaded<T> {
  const [data, set] = useState<T | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(true);
  const round = useRef(0); // an answer that was overtaken is dropped

  const again = useCallback(async () => {
    const mine = ++round.current;
    setBusy(true);
    try {
      const got = await read();
      if (mine !== round.current) return;
      set(got);
      setProblem(null);
    } catch (e) {
      if (mine !== round.current) return;
      setProblem(over.value ? null : (e as Problem));
    }
    setBusy(false);
  }, [what]);

  const times = renewed.value;
  useEffect(() => {
    void again();
    return () => {
      round.current++;
    };
  }, [again, times]);
  return { data, problem, busy, again, set };
}

export interface Sent {
  busy: boolean;
  problem: Problem | null;
  run: (work: () => Promise<void>) => Promise<void>;
}

// useSend runs a request of a form, one at a time. A session that ended leaves the form as it is.
export function useSend(): Sent {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const run = useCallback(async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (e) {
      if (!(e instanceof Problem)) throw e;
      setProblem(over.value ? null : e);
    } finally {
      setBusy(false);
    }
  }, []);
  return { busy, problem, run };
}

// useNow returns the time (ms), renewed every `period` ms.
export function useNow(period: number): number {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), period);
    return () => clearInterval(timer);
  }, [period]);
  return now;
}
