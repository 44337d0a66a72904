// Shapes that the modules share. `main.js` gives a `Page` to each screen.

interface Session {
  auth: "development" | "gateway" | "jwt";
  signed_in: boolean;
  user: { id: number; subject: string } | null;
  role: string | null;
  scopes: string[];
  admin: boolean;
  version: string;
  simulated: boolean;
}

interface Job {
  id: string;
  kind: string;
  status: string;
  progress: number;
  current_step: string | null;
  attempt: number;
  error: { code: string; message: string; user_message: string } | null;
  blocked_by?: { reason: string; until: string | null; job_id: string | null } | null;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  subject?: string | null;
  user?: { id: number; subject: string };
  why?: { code: string; sentence: string; since: string; until: string | null } | null;
  max_attempts?: number;
  cost_micro_dollars?: number;
}

interface Page {
  path: string;
  query: URLSearchParams;
  session: Session;
  signal: AbortSignal;
  main: HTMLElement;
  navigate(path: string, options?: { replace?: boolean }): void;
  announce(text: string): void;
  every(work: () => Promise<boolean>): { now(): void };
}

interface View {
  title: string;
  element: HTMLElement;
  update?(query: URLSearchParams): void;
}
